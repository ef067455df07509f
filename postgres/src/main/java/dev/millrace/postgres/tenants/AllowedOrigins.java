package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** From where the pages of a tenant's products may ask. */
public final class AllowedOrigins {

  private static final String LIST =
      """
      select allowed_origins
      from tenant
      where slug = :slug
      """;

  private static final String SET =
      """
      update tenant
      set allowed_origins = :origins
      where id = :tenant
      """;

  private static final String ANY =
      """
      select exists (
          select 1
          from tenant
          where allowed_origins && cast(:wanted as text[]))
      """;

  private record Row(List<String> allowedOrigins) {}

  private final Jdbi jdbi;

  public AllowedOrigins(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  public List<String> list(String slug) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("slug", slug)
            .map(RecordMapper.of(Row.class))
            .findOne()
            .map(Row::allowedOrigins)
            .orElse(List.of()));
  }

  /** Allows these and no others, with a line in the audit. */
  public void set(int tenant, List<String> origins, Audit.Line line) {
    jdbi.useTransaction(handle -> {
      handle
          .createUpdate(SET)
          .bindArray("origins", String.class, origins.toArray())
          .bind("tenant", tenant)
          .execute();
      Audit.write(handle, line);
    });
  }

  /** Whether any tenant allows one of these. */
  public boolean any(Collection<String> wanted) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ANY)
            .bindArray("wanted", String.class, wanted.toArray())
            .mapTo(Boolean.class)
            .one());
  }
}
