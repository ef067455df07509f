package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;

/**
 * The files of one database: made once, checked and configured at each start while no server runs
 * on them.
 */
final class Cluster {
  static final String USER = "millrace";
  static final String DATABASE = "millrace";
  static final String DIRECTORY = "postgres";

  private static final Duration SETUP_LIMIT = Duration.ofMinutes(10);
  private static final String UNFINISHED = "postgres.new-";
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  private static final String HBA =
      """
      # Written by Millrace. Only this machine, and only with the password.
      host all all 127.0.0.1/32 scram-sha-256
      """;

  private static final String INCLUDE =
      """

      # Millrace writes millrace.conf anew at each start. What stands below this line wins over it.
      include 'millrace.conf'
      """;

  /** An acknowledged commit is on disk: the first three are the reason why a job is never lost. */
  private static final String SETTINGS =
      """
      # Written by Millrace at each start. Put your own settings at the end of postgresql.conf.
      fsync = on
      synchronous_commit = on
      full_page_writes = on
      password_encryption = 'scram-sha-256'
      cluster_name = 'millrace'
      max_connections = 100
      shared_buffers = '256MB'
      wal_compression = on
      max_wal_size = '2GB'
      random_page_cost = 1.1
      autovacuum_naptime = '15s'
      default_statistics_target = 10
      jit = off
      timezone = 'UTC'
      log_timezone = 'UTC'
      log_checkpoints = off
      """;

  private final Path dataDir;
  private final Account account;
  private final Binaries binaries;

  Cluster(Path dataDir, Account account, Binaries binaries) {
    this.dataDir = dataDir;
    this.account = account;
    this.binaries = binaries;
  }

  static Path directory(Path dataDir) {
    return dataDir.resolve(DIRECTORY);
  }

  private Path directory() {
    return directory(dataDir);
  }

  private Path passwordFile() {
    return dataDir.resolve("postgres.password");
  }

  boolean exists() {
    return Files.exists(directory(), LinkOption.NOFOLLOW_LINKS);
  }

  /** Another major version keeps its files differently; touching them would only do harm. */
  void requireFittingVersion() throws IOException {
    Path file = directory().resolve("PG_VERSION");
    if (!Files.exists(file)) {
      throw new EmbeddedDatabaseException(
          "%s is there but holds no PostgreSQL database. Move it away, or choose another data directory."
              .formatted(directory()));
    }
    String version = Files.readString(file).strip();
    if (!version.equals(Integer.toString(binaries.major()))) {
      throw new EmbeddedDatabaseException(
          """
          The database in %s was made by PostgreSQL %s, and this Millrace brings PostgreSQL %d. Run the Millrace that made it, \
          or dump it with PostgreSQL %s and load the dump into a new data directory.\
          """
              .formatted(directory(), version, binaries.major(), version));
    }
  }

  /**
   * Made under another name and renamed when complete, so that a half-made database is never
   * mistaken for a whole one.
   */
  void create() throws IOException {
    removeUnfinished();
    Path unfinished = Files.createTempDirectory(dataDir, UNFINISHED);
    own(unfinished);
    String name = unfinished.getFileName().toString();
    run(
        "",
        binaries.program("initdb"),
        "--pgdata=" + name,
        "--username=" + USER,
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        // No server runs on these files before pg_hba.conf is replaced just below.
        "--auth=trust");
    Files.writeString(unfinished.resolve("pg_hba.conf"), HBA);
    Files.writeString(unfinished.resolve("postgresql.conf"), INCLUDE, StandardOpenOption.APPEND);
    configure(unfinished);
    String password = newPassword();
    execute(name, "create database " + DATABASE, setPassword(password));
    keep(password);
    for (String file : new String[] {"pg_hba.conf", "postgresql.conf"}) {
      Tree.sync(unfinished.resolve(file));
    }
    Files.move(unfinished, directory(), StandardCopyOption.ATOMIC_MOVE);
    Tree.sync(dataDir);
  }

  /**
   * Hands the files to the account that will run the server, and writes the settings of this
   * version of Millrace.
   */
  void prepare() throws IOException {
    own(directory().toRealPath());
    configure(directory());
    if (!Files.exists(passwordFile())) {
      String password = newPassword();
      execute(DIRECTORY, setPassword(password));
      keep(password);
    }
  }

  String password() throws IOException {
    return Files.readString(passwordFile()).strip();
  }

  private void configure(Path cluster) throws IOException {
    Path settings = cluster.resolve("millrace.conf");
    Files.writeString(settings, SETTINGS);
    Files.setPosixFilePermissions(settings, PRIVATE);
    Files.setAttribute(settings, "unix:uid", account.uid());
    Tree.sync(settings);
  }

  private void own(Path cluster) throws IOException {
    if (Tree.owner(cluster) != account.uid()) {
      Tree.changeOwner(cluster, account.uid());
    }
  }

  /**
   * Speaks to the files without a server, so that it listens nowhere while there is no password
   * yet.
   */
  private void execute(String cluster, String... statements) {
    String input = String.join("\n", statements) + "\n";
    run(
        input,
        binaries.program("postgres"),
        "--single",
        "-D",
        cluster,
        "-c",
        "exit_on_error=on",
        "template1");
  }

  private void run(String input, String... words) {
    var result = account.command(dataDir, words).run(SETUP_LIMIT, input);
    if (!result.succeeded()) {
      throw new EmbeddedDatabaseException(
          "The database in %s could not be set up. Check that the disk has room and is writable, then start again. %s said:%n%s"
              .formatted(dataDir, words[0], result.output()));
    }
  }

  /** The password has no character that would need quoting. */
  private static String setPassword(String password) {
    return "alter role %s password '%s'".formatted(USER, password);
  }

  private static String newPassword() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private void keep(String password) throws IOException {
    Path unfinished =
        Files.createTempFile(
            dataDir, ".password-", "", PosixFilePermissions.asFileAttribute(PRIVATE));
    Files.writeString(unfinished, password + "\n");
    Files.setAttribute(unfinished, "unix:uid", account.uid());
    Tree.sync(unfinished);
    Files.move(unfinished, passwordFile(), StandardCopyOption.ATOMIC_MOVE);
    Tree.sync(dataDir);
  }

  private void removeUnfinished() throws IOException {
    try (var leftovers = Files.newDirectoryStream(dataDir, UNFINISHED + "*")) {
      for (Path path : leftovers) {
        Tree.delete(path);
      }
    }
  }
}
