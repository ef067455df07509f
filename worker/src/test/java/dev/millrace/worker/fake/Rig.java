package dev.millrace.worker.fake;

import dev.millrace.spi.executor.Executor;
import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.Registration;
import dev.millrace.worker.files.DiskBudget;
import dev.millrace.worker.files.WorkFolder;
import dev.millrace.worker.files.WorkerMemory;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.run.Ended;
import dev.millrace.worker.run.Executors;
import dev.millrace.worker.run.Membership;
import dev.millrace.worker.run.RunParts;
import dev.millrace.worker.run.Why;
import dev.millrace.worker.run.Worker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real worker against the double, in this process. */
public final class Rig implements AutoCloseable {

  private static final long MB = 1024 * 1024;

  private final Path place;
  private final Web web = new Web();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final WorkerLog log =
      new WorkerLog(
          WorkerLog.Look.TEXT,
          new PrintStream(text, true, StandardCharsets.UTF_8),
          Clock.systemUTC());
  private final WorkFolder folder;
  private final Worker worker;
  private final Thread thread;
  private volatile @Nullable Ended ended;

  /** Starts a worker called {@code w-1}. */
  public Rig(FakeMillrace server, Path place, int slots, Executor executor) {
    this(server, place, slots, (_, _) -> executor);
  }

  /** A worker whose executor speaks through the worker's own client, and so dies with it. */
  public static Rig of(
      FakeMillrace server, Path place, int slots, BiFunction<Web, WorkerLog, Executor> executor) {
    return new Rig(server, place, slots, executor);
  }

  private Rig(
      FakeMillrace server, Path place, int slots, BiFunction<Web, WorkerLog, Executor> executor) {
    this.place = place;
    try {
      folder = WorkFolder.open(place);
      WorkerMemory memory = new WorkerMemory(folder.state());
      ControlPlane control = new ControlPlane(web, server.url());
      Executors all = new Executors(List.of(executor.apply(web, log)), Optional.empty());
      DiskBudget budget = new DiskBudget(folder.scratch(), 100 * MB);
      RunParts parts = new RunParts(control, web, all, folder, memory, budget, 8 * MB, log);
      Registration.Request request =
          new Registration.Request("w-1", List.of("demo"), slots, all.names(), AnswerJson.object());
      Membership membership =
          new Membership(control, memory, request, server.url(), FakeMillrace.SECRET, log);
      worker = new Worker(parts, membership, slots, _ -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread = Thread.ofVirtual().name("worker").start(this::work);
  }

  private void work() {
    try {
      worker.run();
    } catch (Ended e) {
      ended = e;
    }
  }

  public Worker worker() {
    return worker;
  }

  public WorkerLog log() {
    return log;
  }

  public Web web() {
    return web;
  }

  public String logged() {
    return text.toString(StandardCharsets.UTF_8);
  }

  public @Nullable Ended ended() {
    return ended;
  }

  public boolean isOver() {
    return !thread.isAlive();
  }

  public void drain(Why why, Duration grace) {
    worker.drain(why, grace);
  }

  /** Everything in the folder of running jobs. */
  public List<Path> scratch() {
    // No deeper: a walk stumbles over what the worker removes meanwhile.
    try (Stream<Path> files = Files.list(place.resolve("scratch"))) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets go of everything at once, as a killed process does, without a word to the server. */
  public void kill() {
    web.close();
    try {
      folder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    worker.drain(Why.SHUTDOWN, Duration.ZERO);
    try {
      thread.join(Duration.ofMinutes(1));
      folder.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    web.close();
  }
}
