package dev.millrace.engine.sim;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What each user has, owes and used, as the oracle reckons it. */
final class Accounts {

  /** A key within its user. */
  record Scope(Wallet.Owner owner, String key) {}

  /** A batch that used a key. */
  record Many(UUID batch, String fingerprint) {}

  private final Map<Wallet.Owner, Long> balances = new HashMap<>();
  private final Map<Wallet.Owner, QuotaUse> usages = new HashMap<>();
  private final Map<Scope, SubmitJob> keys = new HashMap<>();
  private final Map<Scope, Many> batches = new HashMap<>();
  private final Map<Scope, Long> payments = new HashMap<>();

  Accounts copy() {
    Accounts copy = new Accounts();
    copy.take(this);
    return copy;
  }

  /** Becomes as the other one is. */
  void take(Accounts other) {
    balances.clear();
    balances.putAll(other.balances);
    usages.clear();
    usages.putAll(other.usages);
    keys.clear();
    keys.putAll(other.keys);
    batches.clear();
    batches.putAll(other.batches);
    payments.clear();
    payments.putAll(other.payments);
  }

  long balance(Wallet.Owner owner) {
    return balances.getOrDefault(owner, 0L);
  }

  void add(Wallet.Owner owner, long amount) {
    balances.merge(owner, amount, Long::sum);
  }

  QuotaUse usage(Wallet.Owner owner) {
    return usages.getOrDefault(owner, QuotaUse.NONE);
  }

  void accepted(Wallet.Owner owner, long cost, Instant now) {
    began(owner, cost);
    usages.put(owner, usage(owner).accepted(now));
  }

  void began(Wallet.Owner owner, long cost) {
    add(owner, -cost);
    usages.put(owner, usage(owner).began());
  }

  void ended(Wallet.Owner owner, long refund) {
    add(owner, refund);
    usages.put(owner, usage(owner).ended());
  }

  @Nullable SubmitJob keyed(SubmitJob order) {
    String key = order.identity().key();
    return key == null ? null : keys.get(new Scope(order.owner(), key));
  }

  void use(SubmitJob order) {
    if (order.identity().key() != null) {
      keys.put(new Scope(order.owner(), order.identity().key()), order);
    }
  }

  Map<Scope, SubmitJob> keys() {
    return keys;
  }

  Map<Scope, Many> batches() {
    return batches;
  }

  Map<Scope, Long> payments() {
    return payments;
  }
}
