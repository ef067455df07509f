package dev.millrace.worker.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A process with all that it started. On Unix it is a session of its own, so that also those are
 * found whose parents have ended.
 */
final class ProcessTree {

  private static final Optional<Path> SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .map(Path::of)
          .filter(Files::isExecutable)
          .findFirst();

  private final Process process;
  private final Duration patience;

  ProcessTree(Process process, Duration patience) {
    this.process = process;
    this.patience = patience;
  }

  /** The command such that its process leads a group. */
  static List<String> inAGroupOfItsOwn(List<String> command) {
    if (SETSID.isEmpty()) {
      return command;
    }
    List<String> words = new ArrayList<>(List.of(SETSID.get().toString()));
    words.addAll(command);
    return words;
  }

  Process process() {
    return process;
  }

  /** Enough to know the process again: ids are reused, so its start belongs to it. */
  String note() {
    return note(process.toHandle());
  }

  private static String note(ProcessHandle handle) {
    String start = handle.info().startInstant().map(Instant::toString).orElse("");
    return "process:" + handle.pid() + ":" + start;
  }

  /** Ends what a worker that was killed has left running, if it is still the same process. */
  static void killFormer(String note) {
    String[] parts = note.split(":", 3);
    if (!parts[0].equals("process") || parts.length < 3 || !parts[1].matches("[0-9]{1,18}")) {
      return;
    }
    ProcessHandle.of(Long.parseLong(parts[1]))
        .filter(handle -> note(handle).equals(note))
        .ifPresent(handle -> {
          handle.descendants().forEach(ProcessHandle::destroyForcibly);
          signal("KILL", handle.pid());
          handle.destroyForcibly();
        });
  }

  /** Asks all of them to end, waits for a moment, and then ends them. Returns when they have. */
  void kill() throws InterruptedException {
    // The stop that brings us here has interrupted this thread; the tree must end all the same.
    boolean interrupted = Thread.interrupted();
    try {
      Set<ProcessHandle> all = new LinkedHashSet<>(process.descendants().toList());
      all.add(process.toHandle());
      signal("TERM", process.pid());
      all.forEach(ProcessHandle::destroy);
      long until = System.nanoTime() + patience.toNanos();
      while (anyAlive(all) && System.nanoTime() - until < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      process.descendants().forEach(all::add);
      signal("KILL", process.pid());
      all.forEach(ProcessHandle::destroyForcibly);
      process.waitFor(10, TimeUnit.SECONDS);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean anyAlive(Set<ProcessHandle> all) {
    return all.stream().anyMatch(ProcessHandle::isAlive);
  }

  /** To the whole group, which only the system's own tool can address. */
  private static void signal(String name, long group) {
    if (SETSID.isEmpty()) {
      return;
    }
    try {
      Process kill =
          new ProcessBuilder("/bin/kill", "-" + name, "--", "-" + group)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill.onExit().get(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | ExecutionException | TimeoutException _) {
      // Without the tool the handles must do.
    }
  }
}
