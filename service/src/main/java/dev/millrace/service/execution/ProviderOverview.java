package dev.millrace.service.execution;

import static java.util.stream.Collectors.toMap;

import dev.millrace.postgres.outside.ProviderWork;
import dev.millrace.service.access.Principal;
import dev.millrace.service.attempt.Breaker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who performs jobs: how each stands on this node, and what of everybody's lies there. */
public final class ProviderOverview {

  private static final int MOST_LATE = 50;

  private final ProviderStatus status;
  private final ProviderWork work;

  public ProviderOverview(ProviderStatus status, ProviderWork work) {
    this.status = status;
    this.work = work;
  }

  /**
   * A provider as one tenant sees it.
   *
   * @param ownKey the tenant's own key, masked; null if it has none
   * @param work what lies there; null if nothing does
   */
  public record Provider(
      ProviderStatus.Standing standing,
      @Nullable String ownKey,
      ProviderWork.@Nullable Standing work) {

    public boolean ready() {
      return standing.kind() != null;
    }
  }

  /** All providers, also such as were taken out of the settings while work lies there. */
  public List<Provider> providers(Principal by) {
    Map<String, ProviderWork.Standing> lying =
        work.standing().stream().collect(toMap(ProviderWork.Standing::provider, each -> each));
    List<Provider> all = new ArrayList<>();
    TreeSet<String> gone = new TreeSet<>(lying.keySet());
    for (ProviderStatus.Standing standing : status.standing()) {
      ProviderStatus.@Nullable MaskedKey key = standing.key();
      String own = key == null ? null : key.own().get(by.tenantSlug());
      all.add(new Provider(standing, own, lying.get(standing.name())));
      gone.remove(standing.name());
    }
    for (String name : gone) {
      var unknown =
          new ProviderStatus.Standing(name, null, null, 0, 0, null, Breaker.never().standing());
      all.add(new Provider(unknown, null, lying.get(name)));
    }
    return all;
  }

  /** Results of the tenant's jobs that came too late. */
  public List<ProviderWork.Late> late(Principal by) {
    return work.late(by.tenant(), Instant.EPOCH, MOST_LATE);
  }
}
