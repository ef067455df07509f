package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PostgreSQL's programs, unpacked and seen to run.
 *
 * @param home the directory with {@code bin}, {@code lib} and {@code share}
 * @param major the version that decides whether a cluster fits
 */
record Binaries(Path home, int major) {
  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");
  private static final String UNFINISHED = ".unpacking-";

  String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }

  /**
   * Tries the caches in order and the data directory last. A cache may be unwritable, mounted
   * noexec, or closed to the account that runs PostgreSQL; only running the program tells.
   */
  static Binaries provide(Path dataDir, Account account, Host host, Consumer<String> progress)
      throws IOException {
    Platform platform = Platform.current();
    var archive = new Archive(platform.archive());
    if (!archive.exists()) {
      throw platform.unsupported();
    }
    String name = "postgres-" + archive.fingerprint();
    var places = new ArrayList<>(host.caches());
    places.add(dataDir.resolve("binaries"));
    var reasons = new ArrayList<String>();
    for (Path place : places) {
      try {
        Path home = place.resolve(name);
        if (!Files.exists(home)) {
          progress.accept("Unpacking PostgreSQL into " + home);
          unpack(archive, place, home);
        }
        requireTrusted(home, account);
        return seenToRun(home, account, dataDir);
      } catch (IOException e) {
        reasons.add(e.toString());
      }
    }
    throw new EmbeddedDatabaseException(
        "PostgreSQL could not be unpacked and run anywhere: %s. Make one of these places usable, or set MILLRACE_DATABASE_URL to a database of your own."
            .formatted(String.join("; ", reasons)));
  }

  /**
   * Two that unpack at once both finish, and one rename wins; a crash midway leaves only a
   * directory nobody looks at.
   */
  private static void unpack(Archive archive, Path place, Path home) throws IOException {
    Files.createDirectories(place);
    removeAbandoned(place);
    Path unfinished = Files.createTempDirectory(place, UNFINISHED);
    try {
      archive.unpack(unfinished);
      Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
      Tree.sync(place);
    } catch (FileSystemException e) {
      if (!Files.exists(home)) {
        throw e;
      }
    } finally {
      Tree.delete(unfinished);
    }
  }

  private static void removeAbandoned(Path place) throws IOException {
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));
    try (var old = Files.newDirectoryStream(place, UNFINISHED + "*")) {
      for (Path path : old) {
        try {
          if (Files.getLastModifiedTime(path).toInstant().isBefore(yesterday)) {
            Tree.delete(path);
          }
        } catch (NoSuchFileException _) {
          // Somebody else who unpacks removes it too.
        }
      }
    }
  }

  /** Programs that a stranger put there are not run. */
  private static void requireTrusted(Path home, Account account) throws IOException {
    int owner = Tree.owner(home);
    if (owner != 0 && owner != account.uid()) {
      throw new IOException(home + " belongs to another user");
    }
  }

  private static Binaries seenToRun(Path home, Account account, Path dataDir) throws IOException {
    String postgres = home.resolve("bin").resolve("postgres").toString();
    var result = account.command(dataDir, postgres, "--version").run(Duration.ofSeconds(30));
    Matcher version = VERSION.matcher(result.output());
    if (!result.succeeded() || !version.find()) {
      throw new IOException(postgres + " does not run: " + result.output());
    }
    return new Binaries(home, Integer.parseInt(version.group(1)));
  }
}
