package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.job.Job;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Caps on what runs at once. Half of the worlds have them, which their weather decides, so that the
 * others are as they would be if there were none.
 */
final class CapLaws {

  private final int perTenant;
  private final Map<Integer, Integer> perEffect;

  private CapLaws(int perTenant, Map<Integer, Integer> perEffect) {
    this.perTenant = perTenant;
    this.perEffect = perEffect;
  }

  static CapLaws of(Climate climate, Stage stage) {
    boolean capped = new Chance(climate.hashCode()).percent(50);
    CapLaws laws =
        capped
            ? new CapLaws(Catalogue.TENANT_CAP, Catalogue.EFFECT_CAPS)
            : new CapLaws(0, Map.of());
    stage.cap(laws.perTenant, laws.perEffect);
    return laws;
  }

  /** What runs, and whether more may. A lease counts until somebody ends it. */
  final class Running {
    private final Map<Integer, Integer> ofTenant = new HashMap<>();
    private final Map<Integer, Integer> ofEffect = new HashMap<>();

    /** True if a job like this one may start. */
    boolean room(Job job) {
      Integer most = perEffect.get(job.terms().effectId());
      return (perTenant == 0 || ofTenant.getOrDefault(job.id().tenant(), 0) < perTenant)
          && (most == null || ofEffect.getOrDefault(job.terms().effectId(), 0) < most);
    }
  }

  /** Counts what runs, which must not be more than may. */
  Running check(Collection<Job> jobs) {
    Running running = new Running();
    for (Job job : jobs) {
      if (job.lease() != null) {
        running.ofTenant.merge(job.id().tenant(), 1, Integer::sum);
        running.ofEffect.merge(job.terms().effectId(), 1, Integer::sum);
      }
    }
    running.ofTenant.forEach((tenant, jobsNow) ->
        require(
            perTenant == 0 || jobsNow <= perTenant,
            "a tenant runs no more than its cap",
            tenant,
            jobsNow));
    perEffect.forEach((effect, most) -> {
      int jobsNow = running.ofEffect.getOrDefault(effect, 0);
      require(jobsNow <= most, "an effect runs no more than its cap", effect, jobsNow);
    });
    return running;
  }
}
