package dev.millrace.service.browsers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.tenants.AllowedOrigins;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.SharedLookups;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From where the pages of each tenant may ask. A change holds within five seconds. */
public final class Origins {

  /** The most that a tenant may allow. */
  public static final int MOST = 50;

  private static final Duration MEMORY = Duration.ofSeconds(5);
  private static final int MOST_REMEMBERED = 10_000;

  private final AllowedOrigins stored;
  private final SharedLookups<Set<String>> ofTenants;
  private final SharedLookups<Boolean> ofAny;

  /** What was true when it was last looked up, for when nobody can be asked. */
  private final Cache<String, Boolean> last =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  public Origins(AllowedOrigins stored) {
    this.stored = stored;
    this.ofTenants =
        new SharedLookups<>(MEMORY, MOST_REMEMBERED, slug -> Set.copyOf(stored.list(slug)));
    this.ofAny = new SharedLookups<>(MEMORY, MOST_REMEMBERED, this::look);
  }

  public List<String> list(Principal by) {
    return stored.list(by.tenantSlug());
  }

  /** Allows these and no others; each is one that {@link OriginPattern#parse} gave. */
  public List<String> set(Principal by, List<String> origins) {
    List<String> all = origins.stream().distinct().sorted().toList();
    if (all.size() > MOST) {
      throw new IllegalArgumentException("more origins than a tenant may allow");
    }
    ObjectNode detail = JsonMapper.shared().createObjectNode();
    all.forEach(detail.putArray("origins")::add);
    stored.set(by.tenant(), all, by.audit("origins.set", by.tenantSlug(), detail.toString()));
    ofTenants.forget(by.tenantSlug());
    ofAny.forgetAll();
    return all;
  }

  /** Whether pages of this origin may ask in the name of the tenant. */
  public boolean allow(String slug, String origin) {
    List<String> patterns = OriginPattern.allowing(origin);
    return !patterns.isEmpty() && !Collections.disjoint(ofTenants.get(slug), patterns);
  }

  /** Whether any tenant allows this origin, for who hasn't said yet whose page it is. */
  public boolean anyAllows(String origin) {
    try {
      return !OriginPattern.allowing(origin).isEmpty() && ofAny.get(origin);
    } catch (Store.Unavailable _) {
      return anyAllowed(origin);
    }
  }

  /** The same as far as it is known without asking anybody. */
  public boolean anyAllowed(String origin) {
    return Boolean.TRUE.equals(last.getIfPresent(origin));
  }

  private boolean look(String origin) {
    boolean allowed = stored.any(OriginPattern.allowing(origin));
    last.put(origin, allowed);
    return allowed;
  }
}
