package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Payments and balances that are not what they were paid. */
final class PaymentBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "book a payment again",
              "the payment's key is not looked up",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public OptionalLong payment(long walletId, String key) {
                          super.payment(walletId, key);
                          return OptionalLong.empty();
                        }
                      })),
          new Planted(
              "take any amount for the same payment",
              "a key that was booked for another amount is answered as if it were the same",
              PaymentBugs::anyAmount),
          new Planted(
              "pay the namesake",
              "a payment goes to the user of the same name in another tenant",
              () ->
                  Plant.commands(
                      TopUp.class,
                      topUp ->
                          topUp.owner().user().equals("ada")
                              ? new TopUp(
                                  new Wallet.Owner(3 - topUp.owner().tenant(), "ada"),
                                  topUp.amount(),
                                  topUp.key(),
                                  topUp.note())
                              : topUp)),
          new Planted(
              "cache balances before the commit",
              "a node remembers what it wrote, even if the transaction never happened",
              PaymentBugs::cache),
          new Planted(
              "lend five credits",
              "a wallet seems to have five credits more than it has",
              PaymentBugs::lend));

  private PaymentBugs() {}

  private static Bug anyAmount() {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) ->
            batch.decide(
                new Delegate(tx) {
                  @Override
                  public OptionalLong payment(long walletId, String key) {
                    OptionalLong before = super.payment(walletId, key);
                    return before.isPresent() && commands.getFirst() instanceof TopUp topUp
                        ? OptionalLong.of(topUp.amount())
                        : before;
                  }
                },
                commands);
      }
    };
  }

  private static Bug cache() {
    Map<Long, Wallet> cache = new HashMap<>();
    return Plant.transaction(tx ->
        new Wallets(tx) {
          @Override
          Wallet seen(Wallet wallet) {
            return cache.getOrDefault(wallet.id(), wallet);
          }

          @Override
          public void write(Changes changes) {
            changes.wallets().forEach(wallet -> cache.put(wallet.id(), wallet));
            super.write(changes);
          }
        });
  }

  private static Bug lend() {
    return Plant.transaction(tx ->
        new Wallets(tx) {
          @Override
          Wallet seen(Wallet wallet) {
            return Edit.with(wallet, wallet.balance() + 5);
          }
        });
  }

  /** Wallets that seem to be others. */
  private abstract static class Wallets extends Delegate {
    Wallets(Transaction inner) {
      super(inner);
    }

    abstract Wallet seen(Wallet wallet);

    @Override
    public Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> owners) {
      Map<Wallet.Owner, Wallet> wallets = new HashMap<>(super.lockWallets(owners));
      wallets.replaceAll((_, wallet) -> seen(wallet));
      return wallets;
    }

    @Override
    public Map<Long, Wallet> lockWalletsOf(Set<JobId> jobs) {
      Map<Long, Wallet> wallets = new HashMap<>(super.lockWalletsOf(jobs));
      wallets.replaceAll((_, wallet) -> seen(wallet));
      return wallets;
    }
  }
}
