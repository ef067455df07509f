package dev.millrace.service.execution;

import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.outside.Collector;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who performs jobs on this node, and how each stands. A key is only ever known here masked. */
public final class ProviderStatus {

  private final Accounts accounts;
  private final Function<String, Breaker> breakers;
  private final Supplier<List<InProcessExecutor>> executors;
  private final Map<String, MaskedKey> keys;
  private final Function<String, Optional<Collector.Fetching>> fetches;

  /** Where a provider's work is done. */
  public enum Kind {
    /** By this server. */
    LOCAL,
    /** By a service that answers while it is waited for. */
    DIRECT,
    /** By a service that is given work and asked about it later. */
    SERVICE;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a provider is paid with, masked.
   *
   * @param setting what to set to have the provider
   * @param common everybody's; null if there is none
   * @param own those of single tenants, by their slugs
   */
  public record MaskedKey(String setting, @Nullable String common, Map<String, String> own) {
    public MaskedKey {
      own = Map.copyOf(own);
    }
  }

  /**
   * How a provider stands on this node.
   *
   * @param kind null if it is not set up
   * @param key null if it takes none that we know of
   * @param slots how many jobs it may run at once here; 0 if this node runs none
   * @param fetching its results on their way here; null unless it is asked about its work later
   */
  public record Standing(
      String name,
      @Nullable Kind kind,
      @Nullable MaskedKey key,
      int slots,
      int busy,
      Collector.@Nullable Fetching fetching,
      Breaker.Standing breaker) {}

  /**
   * Tells how these providers are.
   *
   * @param keys by the provider's name, also of providers that are not set up
   * @param fetches how results are fetched here, by the provider's name
   */
  public ProviderStatus(
      Accounts accounts,
      Function<String, Breaker> breakers,
      Supplier<List<InProcessExecutor>> executors,
      Map<String, MaskedKey> keys,
      Function<String, Optional<Collector.Fetching>> fetches) {
    this.accounts = accounts;
    this.breakers = breakers;
    this.executors = executors;
    this.keys = Map.copyOf(keys);
    this.fetches = fetches;
  }

  /** All of them, and those that could be set up. */
  public List<Standing> standing() {
    Set<String> names = new TreeSet<>(accounts.names());
    names.addAll(keys.keySet());
    return names.stream().map(this::standing).toList();
  }

  private Standing standing(String name) {
    Optional<InProcessExecutor> executor = executor(name);
    return new Standing(
        name,
        kind(name),
        keys.get(name),
        executor.map(InProcessExecutor::slots).orElse(0),
        executor.map(InProcessExecutor::busy).orElse(0),
        fetches.apply(name).orElse(null),
        breaker(name));
  }

  private @Nullable Kind kind(String name) {
    if (!accounts.names().contains(name)) {
      return null;
    }
    if (accounts.isService(name)) {
      return Kind.SERVICE;
    }
    return accounts.needsService(name) ? Kind.DIRECT : Kind.LOCAL;
  }

  private Optional<InProcessExecutor> executor(String name) {
    return executors.get().stream().filter(each -> each.provider().equals(name)).findFirst();
  }

  /** How this node keeps work away from a provider. */
  public Breaker.Standing breaker(String name) {
    return breakers.apply(name).standing();
  }

  /** How many more jobs of a provider this node would start now. */
  public int room(String name) {
    return executor(name).map(InProcessExecutor::room).orElse(0);
  }

  /** Lets a scrape see how each stands. */
  public ProviderStatus count(MeterRegistry registry) {
    for (String name : accounts.names()) {
      Gauge.builder("millrace.provider.breaker.open", () -> breakers.apply(name).open() ? 1 : 0)
          .description("1 while this node keeps work away from a provider that is in trouble")
          .tag("provider", name)
          .register(registry);
      Gauge.builder("millrace.provider.slots", () -> standing(name).slots())
          .description("How many jobs of a provider this node may run at once")
          .tag("provider", name)
          .register(registry);
      Gauge.builder("millrace.provider.slots.busy", () -> standing(name).busy())
          .description("How many jobs of a provider this node runs")
          .tag("provider", name)
          .register(registry);
    }
    return this;
  }
}
