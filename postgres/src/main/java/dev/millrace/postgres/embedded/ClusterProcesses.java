package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The PostgreSQL processes that work on one cluster, whoever started them.
 *
 * <p>A process id in a file proves nothing: the process may be dead and its number given to
 * another. Every PostgreSQL process works in its cluster's directory, so on Linux they are found by
 * that, orphaned children and all. Elsewhere only the postmaster is found, by the program it runs
 * and the second it started.
 */
record ClusterProcesses(Path cluster) {
  private static final Path PROC = Path.of("/proc");
  private static final Duration START_TOLERANCE = Duration.ofSeconds(10);

  /** What a postmaster writes about itself. */
  record PidFile(long pid, Instant startedAt) {}

  Path pidFilePath() {
    return cluster.resolve("postmaster.pid");
  }

  /** Empty also if the file is torn or strange, which a crash may leave. */
  Optional<PidFile> pidFile() {
    try {
      List<String> lines = Files.readAllLines(pidFilePath());
      return Optional.of(
          new PidFile(
              Long.parseLong(lines.get(0).strip()),
              Instant.ofEpochSecond(Long.parseLong(lines.get(2).strip()))));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException _) {
      return Optional.empty();
    }
  }

  List<ProcessHandle> all() {
    if (Files.isDirectory(PROC.resolve("self"))) {
      return ProcessHandle.allProcesses().filter(this::worksHere).toList();
    }
    return pidFile()
        .flatMap(file -> ProcessHandle.of(file.pid()).filter(process -> wrote(process, file)))
        .stream()
        .toList();
  }

  Optional<ProcessHandle> postmaster() {
    return pidFile()
        .flatMap(file -> all().stream().filter(process -> process.pid() == file.pid()).findFirst());
  }

  /** Whether the process with this number still works on the cluster; cheaper than all of them. */
  boolean works(long pid) {
    return Files.isDirectory(PROC.resolve("self"))
        ? ProcessHandle.of(pid).filter(this::worksHere).isPresent()
        : ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  /** Whether somebody has stopped one of them with a signal, as a debugger does. */
  boolean anyFrozen() {
    return all().stream().anyMatch(ClusterProcesses::frozen);
  }

  private static boolean frozen(ProcessHandle process) {
    try {
      String stat = Files.readString(PROC.resolve(process.pid() + "/stat"));
      // The name before it stands in parentheses, and may have any character.
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state == 'T' || state == 't';
    } catch (IOException | IndexOutOfBoundsException _) {
      return false;
    }
  }

  /** A dead process that nobody has reaped has no directory any more and rightly does not count. */
  private boolean worksHere(ProcessHandle process) {
    Path entry = PROC.resolve(Long.toString(process.pid()));
    try {
      return Files.readString(entry.resolve("comm")).strip().equals("postgres")
          && Files.isSameFile(entry.resolve("cwd"), cluster);
    } catch (IOException _) {
      return false;
    }
  }

  private static boolean wrote(ProcessHandle process, PidFile file) {
    var info = process.info();
    return info.command().filter(command -> command.endsWith("/postgres")).isPresent()
        && info.startInstant()
            .map(start -> Duration.between(start, file.startedAt()).abs())
            .filter(apart -> apart.compareTo(START_TOLERANCE) <= 0)
            .isPresent();
  }
}
