package dev.millrace.server;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.server.settings.InstalledProvider;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.access.Secret;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who performs jobs for this server: whatever the factories make that were found. */
final class Providers {

  private final ProviderSecrets secrets;
  private final Map<String, Performer> common = new HashMap<>();
  private final Map<String, Map<String, Performer>> own = new HashMap<>();
  private final Map<String, ProviderStatus.MaskedKey> keys = new HashMap<>();
  private FetchPolicy policy;

  private Providers(Settings settings) {
    this.secrets = ProviderSecrets.read(settings.services().secrets());
    this.policy = FetchPolicy.of(settings.services().fetchAllow());
  }

  static Providers of(Settings settings) {
    Providers providers = new Providers(settings);
    for (InstalledProvider each : settings.services().providers()) {
      providers.add(new ProviderView(settings, providers.secrets, each, Optional.empty()));
    }
    return providers;
  }

  /** Those and one more, which is made of the server itself. */
  Providers with(Performer performer) {
    add(performer);
    return this;
  }

  /** Those for everybody, by their names. */
  Map<String, Performer> common() {
    return Map.copyOf(common);
  }

  /** Those of single tenants, by the tenant's slug and their names. */
  Map<String, Map<String, Performer>> own() {
    return Map.copyOf(own);
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>(common.keySet());
    own.values().forEach(performers -> names.addAll(performers.keySet()));
    return names;
  }

  /** What those are paid with that need a key, masked; also of those that are not set up. */
  Map<String, ProviderStatus.MaskedKey> keys() {
    return Map.copyOf(keys);
  }

  /** What is wrong with a workflow's settings for one of them. */
  List<String> mistakes(String executor, Map<String, Object> wanted) {
    @Nullable Performer any = common.get(executor);
    for (Map<String, Performer> performers : own.values()) {
      any = any == null ? performers.get(executor) : any;
    }
    if (any instanceof AsyncProvider service) {
      return service.mistakes(wanted);
    }
    return any == null || wanted.isEmpty()
        ? List.of()
        : List.of("must be empty: " + executor + " takes none");
  }

  /** Brings outputs from wherever these services put them. */
  FetchClient outputs() {
    return new FetchClient(policy);
  }

  /** Adds everybody's account and those of tenants. */
  private void add(ProviderView view) {
    ProviderFactory factory = view.provider().factory();
    String name = view.provider().name();
    List<Performer> everybodys = asked(name, () -> factory.performers(view));
    everybodys.forEach(this::add);
    boolean present = !everybodys.isEmpty();
    Set<String> tenants = new TreeSet<>();
    view.provider().secrets().forEach(secret -> tenants.addAll(secrets.ofTenants(secret).keySet()));
    for (String tenant : tenants) {
      for (Performer theirs : asked(name, () -> factory.performers(view.of(tenant)))) {
        own.computeIfAbsent(tenant, _ -> new HashMap<>()).put(theirs.name(), theirs);
        present = true;
      }
    }
    if (present) {
      List<URI> addresses = asked(name, () -> factory.outputAddresses(view));
      policy = asked(name, () -> allowing(addresses));
    }
    asked(name, factory::account).ifPresent(it -> keys.put(name, key(view.provider(), it)));
  }

  private void add(Performer performer) {
    if (common.put(performer.name(), performer) != null) {
      throw new StartupException("There are two providers called " + performer.name() + ".");
    }
  }

  private FetchPolicy allowing(List<URI> addresses) {
    FetchPolicy wider = policy;
    for (URI address : addresses) {
      wider = wider.allowing(address);
    }
    return wider;
  }

  private ProviderStatus.MaskedKey key(
      InstalledProvider provider, ProviderFactory.Account account) {
    Map<String, String> masked = new HashMap<>();
    secrets.ofTenants(account.key()).forEach((tenant, key) -> masked.put(tenant, KeyMask.of(key)));
    return new ProviderStatus.MaskedKey(
        InstalledProvider.environmentName(account.needed()),
        provider.secret(account.key()).map(Secret::reveal).map(KeyMask::of).orElse(null),
        masked);
  }

  /** A factory may be anybody's, so whatever it does is told as a trouble of this provider. */
  private static <T> T asked(String name, Supplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw new StartupException("The provider " + name + " can't be set up: " + e.getMessage(), e);
    } catch (RuntimeException | LinkageError e) {
      throw new StartupException("The provider " + name + " can't be set up: " + e, e);
    }
  }
}
