package dev.millrace.engine.command;

import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Transaction;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Credits that a user paid for.
 *
 * @param key the payment's own idempotency key; the same key never counts twice
 */
public record TopUp(Wallet.Owner owner, long amount, String key, @Nullable String note) {

  /** More than anybody needs, and far from any overflow. */
  public static final long MAX_AMOUNT = 1_000_000_000_000L;

  /** Keys that begin so are the ledger's own: they give back what a rejection took. */
  public static final String OVERTURN = "overturn:";

  public TopUp {
    if (key.startsWith(OVERTURN)) {
      throw new IllegalArgumentException("a payment's key must not begin with " + OVERTURN);
    }
    if (amount < 1 || amount > MAX_AMOUNT) {
      throw new IllegalArgumentException("a payment is from 1 to " + MAX_AMOUNT + " credits");
    }
  }

  /** How a payment ended. */
  public sealed interface Result {
    record Booked(Wallet wallet) implements Result {}

    /** The key was booked before; the wallet is as it is. */
    record Replayed(Wallet wallet) implements Result {}

    /** The key was booked before, for another amount. */
    record KeyMismatch() implements Result {}

    /** The wallet would hold more than it can. */
    record TooRich(Wallet wallet) implements Result {}
  }

  /** Payments are rare; one at a time is a batch of one. */
  public static final class Booking implements Batch<TopUp, Result> {
    private static final long MAX_BALANCE = Long.MAX_VALUE / 4;

    @Override
    public Decided<Result> decide(Transaction tx, List<TopUp> commands) {
      TopUp command = commands.getFirst();
      Wallet wallet =
          Objects.requireNonNull(tx.lockWallets(Set.of(command.owner)).get(command.owner));
      WorkingSet set = new WorkingSet(tx.now());
      OptionalLong before = tx.payment(wallet.id(), command.key);
      if (before.isPresent()) {
        Result result =
            before.getAsLong() == command.amount
                ? new Result.Replayed(wallet)
                : new Result.KeyMismatch();
        return new Decided<>(set.changes(), List.of(result));
      }
      if (wallet.balance() > MAX_BALANCE - command.amount) {
        return new Decided<>(set.changes(), List.of(new Result.TooRich(wallet)));
      }
      Wallet.Entry entry =
          wallet.book(LedgerType.PAYMENT_CREDIT, command.amount, command.key, command.note);
      set.book(entry);
      return new Decided<>(set.changes(), List.of(new Result.Booked(entry.wallet())));
    }
  }
}
