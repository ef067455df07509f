package dev.millrace.engine.command;

import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Credits that come into a wallet, or go out of it, for no job: a payment, or the correction of
 * one.
 *
 * @param type a payment, which is always for more, or an adjustment
 * @param key its own idempotency key; the same key never counts twice
 */
public record TopUp(
    Wallet.Owner owner, LedgerType type, long amount, String key, @Nullable String note) {

  /** More than anybody needs, and far from any overflow. */
  public static final long MAX_AMOUNT = 1_000_000_000_000L;

  /** Keys that begin so are the ledger's own: they give back what a rejection took. */
  public static final String OVERTURN = "overturn:";

  public TopUp {
    if (key.startsWith(OVERTURN)) {
      throw new IllegalArgumentException("a payment's key must not begin with " + OVERTURN);
    }
    long least = type == LedgerType.ADJUSTMENT ? -MAX_AMOUNT : 1;
    if (amount == 0 || amount < least || amount > MAX_AMOUNT) {
      throw new IllegalArgumentException("not an amount that can be booked: " + amount);
    }
  }

  /** Credits that a user paid for. */
  public TopUp(Wallet.Owner owner, long amount, String key, @Nullable String note) {
    this(owner, LedgerType.PAYMENT_CREDIT, amount, key, note);
  }

  /** The correction of what was booked wrongly. */
  public static TopUp adjustment(Wallet.Owner owner, long amount, String key, String reason) {
    return new TopUp(owner, LedgerType.ADJUSTMENT, amount, key, reason);
  }

  /** How it ended. */
  public sealed interface Result {
    record Booked(Wallet wallet) implements Result {}

    /** The key was booked before; the wallet is as it is. */
    record Replayed(Wallet wallet) implements Result {}

    /** The key was booked before, for another amount. */
    record KeyMismatch() implements Result {}

    /** The wallet would hold more than it can. */
    record TooRich(Wallet wallet) implements Result {}

    /** The wallet would fall below zero. */
    record TooPoor(Wallet wallet) implements Result {}
  }

  /** They are rare; one at a time is a batch of one. */
  public static final class Booking implements CommandBatch<TopUp, Result> {
    private static final long MAX_BALANCE = Long.MAX_VALUE / 4;

    @Override
    public Decided<Result> decide(Transaction tx, List<TopUp> commands) {
      TopUp command = commands.getFirst();
      Wallet wallet =
          Objects.requireNonNull(tx.lockWallets(Set.of(command.owner)).get(command.owner));
      WorkingSet set = new WorkingSet(tx.now());
      Result result = decide(set, wallet, tx.payment(wallet.id(), command.key), command);
      return new Decided<>(set.changes(), List.of(result));
    }

    private static Result decide(
        WorkingSet set, Wallet wallet, OptionalLong before, TopUp command) {
      if (before.isPresent()) {
        return before.getAsLong() == command.amount
            ? new Result.Replayed(wallet)
            : new Result.KeyMismatch();
      }
      if (wallet.balance() > MAX_BALANCE - command.amount) {
        return new Result.TooRich(wallet);
      }
      if (!wallet.covers(-command.amount)) {
        return new Result.TooPoor(wallet);
      }
      Wallet.Entry entry = wallet.book(command.type, command.amount, command.key, command.note);
      set.book(entry);
      return new Result.Booked(entry.wallet());
    }

    @Override
    public Set<Row> needs(TopUp command) {
      return Set.of(new Row.OfWallet(command.owner));
    }
  }
}
