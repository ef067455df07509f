package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Idempotency keys that do not keep what they promise. */
final class KeyBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "ignore the key",
              "a used key is not looked up, so a repeated submit makes a second job",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public Map<KeyScope, KeyUse> findKeys(Set<KeyScope> keys) {
                          return Map.of();
                        }
                      })),
          new Planted(
              "do not keep the key",
              "the job is stored without its key",
              () ->
                  Plant.written(edit ->
                      edit.created.replaceAll(row ->
                          new Changes.NewJob(
                              row.job(),
                              row.virtualStart(),
                              row.input(),
                              null,
                              row.fingerprint(),
                              row.links())))),
          new Planted(
              "share keys between users",
              "a key is looked up without its user, so one gets the other's job",
              () -> remembering(false)),
          new Planted(
              "remember keys that were rolled back",
              "a node keeps used keys in memory and does not forget them after a rollback",
              () -> remembering(true)),
          new Planted(
              "replay another request",
              "the same key with another body is answered with the first job",
              () ->
                  Plant.results(
                      SubmitJob.Result.KeyMismatch.class,
                      mismatch -> new SubmitJob.Result.Replayed(mismatch.job()))));

  private KeyBugs() {}

  /** Answers from what was written, by key alone or by user and key. */
  private static Bug remembering(boolean byUser) {
    Map<String, Transaction.KeyUse> uses = new HashMap<>();
    return Plant.transaction(tx ->
        new Delegate(tx) {
          @Override
          public Map<KeyScope, KeyUse> findKeys(Set<KeyScope> keys) {
            Map<KeyScope, KeyUse> found = new HashMap<>(super.findKeys(keys));
            for (KeyScope scope : keys) {
              KeyUse use = uses.get(name(scope.owner(), scope.key()));
              if (use != null) {
                found.putIfAbsent(scope, use);
              }
            }
            return found;
          }

          @Override
          public void write(Changes changes) {
            for (Changes.NewJob row : changes.created()) {
              if (row.key() != null) {
                uses.put(
                    name(owner(changes, row.job()), row.key()),
                    new KeyUse(row.job().id(), row.fingerprint()));
              }
            }
            super.write(changes);
          }

          private static Wallet.Owner owner(Changes changes, Job job) {
            return changes.wallets().stream()
                .filter(wallet -> wallet.id() == job.terms().walletId())
                .map(Wallet::owner)
                .findAny()
                .orElseThrow();
          }

          private String name(Wallet.Owner owner, String key) {
            return byUser ? owner + " " + key : key;
          }
        });
  }
}
