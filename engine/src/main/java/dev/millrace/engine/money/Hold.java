package dev.millrace.engine.money;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Credits reserved for a job.
 *
 * @param fundingSeq counts the job's fundings from 1; a retry in place opens the next; 0 when the
 *     job never had one
 * @param amount what was reserved
 * @param open false once settled
 * @param captured what the settlement kept of it
 */
public record Hold(int fundingSeq, long amount, boolean open, long captured) {

  /** A blocked job's: there never was one. */
  public static final Hold NONE = new Hold(0, 0, false, 0);

  public Hold {
    if (amount < 0 || captured < 0 || captured > amount || (open && captured != 0)) {
      throw new IllegalStateException(
          "no such hold: amount %d, captured %d, open %b".formatted(amount, captured, open));
    }
  }

  /** What a settled hold gave back. */
  public long refunded() {
    return open ? 0 : amount - captured;
  }

  /** A hold that was taken from a wallet. */
  public record Reserved(Hold hold, Wallet wallet, List<LedgerLine> lines) {}

  /** A hold that was closed, and the wallet that got the rest. */
  public record Settled(Hold hold, Wallet wallet, List<LedgerLine> lines) {}

  /** Opens the next funding. The caller has asked {@link Wallet#covers} first. */
  public Reserved reserve(Wallet wallet, UUID job, long amount) {
    if (open) {
      throw new IllegalStateException("job " + job + " has an open hold already");
    }
    Hold next = new Hold(fundingSeq + 1, amount, true, 0);
    if (amount == 0) {
      return new Reserved(next, wallet, List.of());
    }
    Wallet after = wallet.plus(-amount);
    LedgerLine line =
        new LedgerLine(
            wallet.id(),
            LedgerType.JOB_RESERVE,
            -amount,
            0,
            after.balance(),
            new LedgerLine.Funding(job, next.fundingSeq),
            null,
            null);
    return new Reserved(next, after, List.of(line));
  }

  /**
   * Closes the hold as the settlement divides it. With nothing to keep there is no consume line;
   * with nothing left over there is no refund line.
   */
  public Settled settle(Wallet wallet, UUID job, Settlement settlement) {
    if (!open) {
      throw new IllegalStateException("job " + job + " has no open hold to settle");
    }
    if (settlement.held() != amount) {
      throw new IllegalStateException("job " + job + " holds " + amount + ", not " + settlement);
    }
    long kept = settlement.captured();
    long rest = settlement.refunded();
    List<LedgerLine> lines = new ArrayList<>(2);
    Wallet after = wallet;
    if (kept > 0) {
      lines.add(
          new LedgerLine(
              wallet.id(),
              LedgerType.JOB_CONSUME,
              0,
              kept,
              after.balance(),
              new LedgerLine.Funding(job, fundingSeq),
              null,
              null));
    }
    if (rest > 0) {
      after = wallet.plus(rest);
      lines.add(
          new LedgerLine(
              wallet.id(),
              LedgerType.JOB_REFUND,
              rest,
              0,
              after.balance(),
              new LedgerLine.Funding(job, fundingSeq),
              null,
              null));
    }
    return new Settled(new Hold(fundingSeq, amount, false, kept), after, List.copyOf(lines));
  }
}
