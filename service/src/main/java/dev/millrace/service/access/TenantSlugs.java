package dev.millrace.service.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.postgres.tenants.Tenants;
import java.util.function.IntFunction;

/** The slugs of tenants by their ids. A tenant keeps its slug, so what was seen stays true. */
public final class TenantSlugs implements IntFunction<String> {

  private static final int MOST_REMEMBERED = 10_000;

  private final Tenants tenants;
  private final Cache<Integer, String> seen =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

  public TenantSlugs(Tenants tenants) {
    this.tenants = tenants;
  }

  @Override
  public String apply(int tenant) {
    return seen.get(tenant, tenants::slug);
  }
}
