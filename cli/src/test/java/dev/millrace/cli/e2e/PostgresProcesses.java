package dev.millrace.cli.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** The processes of an embedded PostgreSQL, which outlive a server that was killed. */
final class PostgresProcesses {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private PostgresProcesses() {}

  /** Found by the directory they work in, or by the pid file where there is no /proc. */
  static List<ProcessHandle> of(Path cluster) {
    if (Files.isDirectory(Path.of("/proc/self"))) {
      return ProcessHandle.allProcesses().filter(process -> worksIn(cluster, process)).toList();
    }
    try (var lines = Files.lines(cluster.resolve("postmaster.pid"))) {
      return lines
          .findFirst()
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.strip())))
          .stream()
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  /** Politely first, so that PostgreSQL frees its shared memory. */
  static void end(Path cluster) {
    of(cluster).forEach(ProcessHandle::destroy);
    try {
      await().atMost(PATIENCE).until(() -> of(cluster).isEmpty());
    } catch (ConditionTimeoutException _) {
      of(cluster).forEach(ProcessHandle::destroyForcibly);
      await().atMost(PATIENCE).until(() -> of(cluster).isEmpty());
    }
  }

  private static boolean worksIn(Path cluster, ProcessHandle process) {
    Path entry = Path.of("/proc", Long.toString(process.pid()));
    try {
      return Files.readString(entry.resolve("comm")).strip().equals("postgres")
          && Files.isSameFile(entry.resolve("cwd"), cluster);
    } catch (IOException _) {
      return false; // It has ended meanwhile, or is none of our business.
    }
  }
}
