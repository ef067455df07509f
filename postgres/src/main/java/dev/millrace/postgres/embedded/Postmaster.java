package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Starts and stops the server of one cluster. */
final class Postmaster {
  private static final int START_ATTEMPTS = 5;
  private static final int LOG_TAIL_LINES = 20;

  /**
   * Recovery after a crash may have to replay up to {@code max_wal_size}; even a slow disk is done
   * by then.
   */
  private static final Duration START_LIMIT = Duration.ofMinutes(15);

  /**
   * For a stop that nobody hurries. What it cuts short is no loss: the next start recovers from the
   * log.
   */
  static final Duration STOP_LIMIT = Duration.ofSeconds(24);

  private static final Duration GRACE = Duration.ofSeconds(4);

  private final Path dataDir;
  private final Account account;
  private final Binaries binaries;
  private final Host host;
  private final ClusterProcesses processes;
  private final BooleanSupplier canceled;

  /** True once nobody wants it to start any more. */
  private volatile boolean unwanted;

  /**
   * The server of a cluster.
   *
   * @param canceled whether a start that is under way should end, in vain
   */
  Postmaster(
      Path dataDir, Account account, Binaries binaries, Host host, BooleanSupplier canceled) {
    this.dataDir = dataDir;
    this.account = account;
    this.binaries = binaries;
    this.host = host;
    this.canceled = canceled;
    this.processes = new ClusterProcesses(Cluster.directory(dataDir));
  }

  ClusterProcesses processes() {
    return processes;
  }

  /**
   * Answers the port. A port may be taken between choosing and binding it, so that is tried again.
   */
  int start() throws IOException {
    return start(host.freePort());
  }

  /** Starts again where others expect it. */
  void startAt(int port) throws IOException {
    start(() -> port);
  }

  /** A start that is under way ends at once, in vain, and none begins any more. */
  void cancelStart() {
    unwanted = true;
  }

  private boolean unwanted() {
    return unwanted || canceled.getAsBoolean();
  }

  private int start(IntSupplier ports) throws IOException {
    rotateLog();
    for (int attempt = 1; ; attempt++) {
      int port = ports.getAsInt();
      long logged = Files.size(log());
      var result = launch(port);
      if (result.succeeded()) {
        return port;
      }
      String said = logSince(logged);
      stop();
      if (unwanted()) {
        throw new EmbeddedDatabaseException("The start of PostgreSQL was given up.");
      }
      if (attempt == START_ATTEMPTS || !passesByItself(said)) {
        throw new EmbeddedDatabaseException(
            "PostgreSQL did not start on %s. See what it says, put that right and start again; the whole log is %s.%n%s%n%s"
                .formatted(dataDir, log(), result.output(), tail(said)));
      }
    }
  }

  /**
   * Stops whatever runs on the cluster, gently first, and removes the traces of a server that died.
   * Without a postmaster the remaining processes only finish what they were about; they may be
   * killed, for recovery starts from the log anyway.
   */
  void stop() throws IOException {
    stop(STOP_LIMIT);
  }

  /** The same in so much time: half of it gently, the rest with more and more force. */
  void stop(Duration limit) throws IOException {
    Duration push = limit.dividedBy(6);
    // A process that is frozen hears nothing but the last signal.
    boolean frozen = processes.anyFrozen();
    if (!frozen && processes.postmaster().isPresent()) {
      pgCtlStop("fast", limit.dividedBy(2));
    }
    if (!frozen && processes.postmaster().isPresent()) {
      pgCtlStop("immediate", push);
    }
    processes.all().forEach(ProcessHandle::destroy);
    if (frozen || !goneWithin(push)) {
      processes.all().forEach(ProcessHandle::destroyForcibly);
      if (!goneWithin(push)) {
        throw new EmbeddedDatabaseException(
            "The PostgreSQL processes %s on %s can't be stopped. End them, then start again."
                .formatted(pids(), dataDir));
      }
    }
    // Nobody works on the cluster any more, so the number in the file, if any, is a dead process's
    // or a stranger's.
    Files.deleteIfExists(processes.pidFilePath());
  }

  List<Long> pids() {
    return processes.all().stream().map(ProcessHandle::pid).toList();
  }

  /**
   * Through pg_ctl, which makes the server the leader of its own session, out of reach of the
   * terminal's Ctrl-C. It hands its arguments to a shell unquoted; hence the relative names,
   * whatever the data directory is called.
   */
  private Command.Result launch(int port) {
    return account
        .command(
            dataDir,
            binaries.program("pg_ctl"),
            "start",
            "--wait",
            "--silent",
            "--timeout=" + START_LIMIT.toSeconds(),
            "--pgdata=" + Cluster.DIRECTORY,
            "--log=" + dataDir.relativize(log()),
            "--options=-c port=%d -c listen_addresses=127.0.0.1 -c unix_socket_directories="
                .formatted(port))
        .run(START_LIMIT.plus(GRACE), "", this::unwanted);
  }

  private void pgCtlStop(String mode, Duration limit) {
    account
        .command(
            dataDir,
            binaries.program("pg_ctl"),
            "stop",
            "--wait",
            "--silent",
            "--timeout=" + Math.max(1, limit.toSeconds()),
            "--mode=" + mode,
            "--pgdata=" + Cluster.DIRECTORY)
        .run(limit.plus(GRACE));
  }

  private boolean goneWithin(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!processes.all().isEmpty()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    return true;
  }

  /**
   * A lost race for the port, or with the last breath of an earlier server, is worth another try.
   */
  private static boolean passesByItself(String said) {
    return said.contains("could not bind")
        || said.contains("lock file \"postmaster.pid\" already exists")
        || said.contains("pre-existing shared memory block");
  }

  private Path log() {
    return dataDir.resolve("postgres.log");
  }

  /** The log of the run before is kept, since that is the one to read after a crash. */
  private void rotateLog() throws IOException {
    if (Files.exists(log())) {
      Files.move(log(), dataDir.resolve("postgres.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.createFile(
        log(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.setAttribute(log(), "unix:uid", account.uid());
  }

  private String logSince(long offset) throws IOException {
    try (var channel = Files.newByteChannel(log())) {
      channel.position(offset);
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String tail(String text) {
    List<String> lines = text.lines().toList();
    return String.join(
        System.lineSeparator(),
        lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
  }
}
