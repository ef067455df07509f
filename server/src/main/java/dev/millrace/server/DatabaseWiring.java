package dev.millrace.server;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.connection.Primary;
import dev.millrace.postgres.embedded.EmbeddedDatabase;
import dev.millrace.server.settings.DatabaseUrl;
import dev.millrace.server.settings.Settings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Opens the database, whichever it is. */
final class DatabaseWiring {

  private DatabaseWiring() {}

  /** The embedded one lies beside what would be known of it, and nobody takes its place. */
  static Database database(Settings settings, @Nullable EmbeddedDatabase embedded) {
    Database.Access access = access(settings, embedded);
    return Database.open(
        access,
        embedded == null
            ? Primary.remembered(settings.folders().data().resolve("primary"), access.jdbcUrl())
            : new Primary());
  }

  private static Database.Access access(Settings settings, @Nullable EmbeddedDatabase embedded) {
    int poolSize = settings.database().poolSize();
    if (embedded != null) {
      return new Database.Access(
          embedded.jdbcUrl(), embedded.user(), embedded.password(), poolSize);
    }
    DatabaseUrl url = Objects.requireNonNull(settings.database().url());
    return new Database.Access(
        url.jdbcUrl(),
        url.user() == null ? "" : url.user(),
        url.password() == null ? "" : url.password().reveal(),
        poolSize);
  }
}
