package dev.millrace.service.attempt;

import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.Verification;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who performs a tenant's jobs: by the tenant's own account at a service, or by everybody's. */
public final class Accounts {

  private final Map<String, Performer> common;
  private final Map<String, Map<String, Performer>> own = new HashMap<>();
  private final IntFunction<String> tenantSlug;

  /**
   * @param common by the provider's name
   * @param own by the tenant's slug, and then by the provider's name
   */
  public Accounts(
      Map<String, Performer> common,
      Map<String, Map<String, Performer>> own,
      IntFunction<String> tenantSlug) {
    this.common = Map.copyOf(common);
    own.forEach((tenant, performers) -> this.own.put(tenant, Map.copyOf(performers)));
    this.tenantSlug = tenantSlug;
  }

  /** The names of all providers. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(common.keySet());
    own.values().forEach(performers -> names.addAll(performers.keySet()));
    return names;
  }

  /** Whether work of this provider is done elsewhere, and later. */
  public boolean isService(String provider) {
    return each(provider).anyMatch(AsyncProvider.class::isInstance);
  }

  /** Whether trouble of this provider is trouble of one service, and so of everybody's work. */
  public boolean needsService(String provider) {
    return each(provider).anyMatch(Performer::needsService);
  }

  /** Empty if there is neither an account of this tenant's nor one for everybody. */
  public Optional<Performer> of(String provider, int tenant) {
    @Nullable Performer performer =
        own.isEmpty() ? null : own.getOrDefault(tenantSlug.apply(tenant), Map.of()).get(provider);
    return Optional.ofNullable(performer == null ? common.get(provider) : performer);
  }

  public Optional<AsyncProvider> service(String provider, int tenant) {
    return of(provider, tenant)
        .filter(AsyncProvider.class::isInstance)
        .map(AsyncProvider.class::cast);
  }

  /** Any account may have caused a call; empty if there is none of this provider. */
  public Optional<Verification> verify(
      String provider, Map<String, List<String>> headers, byte[] body) throws InterruptedException {
    @Nullable Verification refused = null;
    for (Performer performer : each(provider).toList()) {
      if (performer instanceof AsyncProvider service) {
        Verification verification = service.verify(headers, body);
        if (verification instanceof Verification.Genuine) {
          return Optional.of(verification);
        }
        refused = refused == null ? verification : refused;
      }
    }
    return Optional.ofNullable(refused);
  }

  private Stream<Performer> each(String provider) {
    return Stream.concat(Stream.of(common), own.values().stream())
        .map(performers -> performers.get(provider))
        .filter(Objects::nonNull);
  }
}
