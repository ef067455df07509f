package dev.millrace.engine.command;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.port.Transaction.Caps;
import dev.millrace.engine.port.Transaction.Full;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What may still start under the caps of tenants and effects. */
final class CapRoom {

  private final Caps caps;
  private final Map<Integer, Integer> ofTenant;
  private final Map<Integer, Integer> ofEffect;

  CapRoom(Caps caps) {
    this.caps = caps;
    this.ofTenant = new HashMap<>(caps.runningOfTenant());
    this.ofEffect = new HashMap<>(caps.runningOfEffect());
  }

  boolean takes(Job job) {
    return !tenantFull(job.id().tenant()) && !effectFull(job.terms().effectId());
  }

  void take(Job job) {
    ofTenant.merge(job.id().tenant(), 1, Integer::sum);
    ofEffect.merge(job.terms().effectId(), 1, Integer::sum);
  }

  Full full() {
    Set<Integer> tenants = new HashSet<>(ofTenant.keySet());
    tenants.removeIf(tenant -> !tenantFull(tenant));
    Set<Integer> effects = new HashSet<>(caps.perEffect().keySet());
    effects.removeIf(effect -> !effectFull(effect));
    return new Full(tenants, effects);
  }

  private boolean tenantFull(int tenant) {
    return caps.perTenant() > 0 && ofTenant.getOrDefault(tenant, 0) >= caps.perTenant();
  }

  private boolean effectFull(int effect) {
    Integer cap = caps.perEffect().get(effect);
    return cap != null && ofEffect.getOrDefault(effect, 0) >= cap;
  }
}
