package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A running PostgreSQL with its data in a directory of ours. If it dies it is started again, at the
 * same port. Closing it stops the server and gives the directory free.
 *
 * <p>Close it after everything that uses it has ended; the server is stopped without waiting for
 * open connections.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private final DirectoryLock lock;
  private final Postmaster postmaster;
  private final Path dataDir;
  private final int port;
  private final String password;
  private final Supervision supervision;
  private boolean closed;

  private EmbeddedDatabase(
      DirectoryLock lock, Postmaster postmaster, Path dataDir, int port, String password) {
    this.lock = lock;
    this.postmaster = postmaster;
    this.dataDir = dataDir;
    this.port = port;
    this.password = password;
    this.supervision = new Supervision(postmaster, port);
  }

  /**
   * Starts the database in a directory, making both if they are not there. Returns when it accepts
   * connections, which after a crash is when it has recovered. An interrupt cancels the start: then
   * nothing is left running, and this fails.
   *
   * @param progress told in a sentence what is being done, for the first start takes a few seconds
   * @throws EmbeddedDatabaseException if that isn't possible, for example because another process
   *     uses the directory
   */
  public static EmbeddedDatabase start(Path dataDir, Consumer<String> progress) {
    return start(dataDir, progress, Host.real());
  }

  static EmbeddedDatabase start(Path dataDir, Consumer<String> progress, Host host) {
    return new CancelableStart<>(canceled -> start(dataDir, progress, host, canceled)).run();
  }

  private static EmbeddedDatabase start(
      Path dataDir, Consumer<String> progress, Host host, BooleanSupplier canceled) {
    try {
      Path real = make(dataDir);
      DirectoryLock lock = DirectoryLock.take(real);
      boolean started = false;
      try {
        var database = start(lock, real, progress, host, canceled);
        started = true;
        return database;
      } finally {
        if (!started) {
          lock.close();
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw EmbeddedDatabaseException.unusable(dataDir, e);
    }
  }

  private static EmbeddedDatabase start(
      DirectoryLock lock,
      Path dataDir,
      Consumer<String> progress,
      Host host,
      BooleanSupplier canceled)
      throws IOException {
    Account account = Account.choose(dataDir, Cluster.directory(dataDir), host);
    Binaries binaries = Binaries.provide(dataDir, account, host, progress);
    var cluster = new Cluster(dataDir, account, binaries);
    var postmaster = new Postmaster(dataDir, account, binaries, host, canceled);
    if (cluster.exists()) {
      cluster.requireFittingVersion();
      var leftBehind = postmaster.pids();
      if (!leftBehind.isEmpty()) {
        progress.accept(
            "Stopping the PostgreSQL that an earlier run left behind, processes " + leftBehind);
      }
      postmaster.stop();
    } else {
      progress.accept("Creating a database in " + dataDir);
      cluster.create();
    }
    cluster.prepare();
    progress.accept("Starting PostgreSQL on " + dataDir);
    int port = postmaster.start();
    return new EmbeddedDatabase(lock, postmaster, dataDir, port, cluster.password());
  }

  /**
   * A directory we make is ours alone; one that is there keeps the permissions its owner gave it.
   */
  private static Path make(Path dataDir) throws IOException {
    if (!Files.isDirectory(dataDir)) {
      Files.createDirectories(
          dataDir,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    return dataDir.toRealPath();
  }

  /** The address without user and password. */
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + Cluster.DATABASE;
  }

  public String user() {
    return Cluster.USER;
  }

  public String password() {
    return password;
  }

  public int port() {
    return port;
  }

  /**
   * Whether the server process is there; false after {@link #close()}, and for a moment after
   * somebody killed it.
   */
  public boolean isRunning() {
    return postmaster.processes().postmaster().isPresent();
  }

  Postmaster postmaster() {
    return postmaster;
  }

  /** Stops the server and waits until it is gone. A second call does nothing. */
  @Override
  public void close() {
    close(Postmaster.STOP_LIMIT);
  }

  /** The same, by force if it would take longer than this. */
  public synchronized void close(Duration limit) {
    if (closed) {
      return;
    }
    closed = true;
    supervision.end();
    try {
      postmaster.stop(limit);
    } catch (IOException e) {
      throw EmbeddedDatabaseException.unusable(dataDir, e);
    } finally {
      lock.close();
    }
  }

  /** Leaves the password out. */
  @Override
  public String toString() {
    return "EmbeddedDatabase[" + dataDir + ", port " + port + "]";
  }
}
