package dev.millrace.engine.money;

import org.jspecify.annotations.Nullable;

/** A user's credits and what the user has going on, as read under its row lock. */
public record Wallet(long id, Owner owner, long balance, QuotaUse usage) {

  /** Who a wallet belongs to: one end user of one tenant. */
  public record Owner(int tenant, String user) {
    public Owner {
      if (user.isBlank() || user.length() > 200) {
        throw new IllegalArgumentException("a user id has 1 to 200 characters");
      }
    }
  }

  public Wallet {
    if (balance < 0) {
      throw new IllegalStateException("wallet " + id + " is below zero");
    }
  }

  /** Of a user who has nothing going on. */
  public Wallet(long id, Owner owner, long balance) {
    this(id, owner, balance, QuotaUse.NONE);
  }

  public boolean covers(long amount) {
    return balance >= amount;
  }

  public Wallet with(QuotaUse other) {
    return new Wallet(id, owner, balance, other);
  }

  /** The wallet after an entry, which refuses to overflow or to go below zero. */
  Wallet plus(long amount) {
    return new Wallet(id, owner, Math.addExact(balance, amount), usage);
  }

  /** Books an entry that belongs to no job, such as a payment. */
  public Entry book(LedgerType type, long amount, @Nullable String key, @Nullable String note) {
    Wallet after = plus(amount);
    return new Entry(after, new LedgerLine(id, type, amount, 0, after.balance, null, key, note));
  }

  /** A wallet and the line that made it what it is. */
  public record Entry(Wallet wallet, LedgerLine line) {}
}
