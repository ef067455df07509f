package dev.millrace.worker;

import dev.millrace.worker.aws.Imds;
import dev.millrace.worker.aws.MachineDescription;
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
import dev.millrace.worker.settings.WorkerSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Puts a worker together, runs it, and takes it apart again when the process must end. */
public final class WorkerProcess {

  /** What a stop may take beyond the grace: killing programs, the last reports, deregistering. */
  private static final Duration LEAVE = Duration.ofSeconds(45);

  private WorkerProcess() {}

  /**
   * Works until SIGTERM or the like.
   *
   * @param terminal whether somebody watches the log
   * @return false if it ended by trouble, which has been told
   */
  public static boolean run(WorkerSettings settings, boolean terminal, PrintStream err) {
    WorkerLog log = new WorkerLog(look(settings, terminal), err, Clock.systemUTC());
    CountDownLatch closed = new CountDownLatch(1);
    try (Web web = new Web()) {
      Imds imds = new Imds(web, settings.aws().metadata());
      boolean ec2 = OnEc2.here(settings.aws(), imds, MachineDescription.here(), log);
      String id = workerId(settings, ec2 ? Optional.of(imds) : Optional.empty());
      Path place =
          settings.workDir().orElse(temporary().resolve("millrace-worker-" + id.replace(':', '-')));
      try (WorkFolder folder = WorkFolder.open(place);
          InstalledExecutors found = InstalledExecutors.executors(settings, web, log);
          OnEc2 machine = OnEc2.of(settings.aws(), imds, ec2, log)) {
        Executors executors = new Executors(found.executors(), settings.defaultExecutor());
        ControlPlane server = new ControlPlane(web, settings.server());
        WorkerMemory memory = new WorkerMemory(folder.state());
        DiskBudget budget = new DiskBudget(folder.scratch(), settings.diskBudgetBytes());
        RunParts parts =
            new RunParts(
                server, web, executors, folder, memory, budget, settings.maxOutputBytes(), log);
        Registration.Request request =
            new Registration.Request(
                id,
                settings.workflows(),
                settings.slots(),
                executors.names(),
                AnswerJson.object()
                    .put("os", System.getProperty("os.name", ""))
                    .put("java", System.getProperty("java.version", "")));
        Membership membership =
            new Membership(
                    server, memory, request, settings.server(), settings.fleetSecret().text(), log)
                .with(settings.workerToken().map(WorkerSettings.Secret::text));
        Worker worker = new Worker(parts, membership, settings.slots(), machine::running);
        machine.watch(worker);
        return work(worker, settings, closed, log);
      }
    } catch (IOException | IllegalArgumentException e) {
      log.warn("worker.cannot_start", "reason", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closed.countDown();
    }
    return false;
  }

  /** The process may end only when all is closed, the scale-in protection too. */
  private static boolean work(
      Worker worker, WorkerSettings settings, CountDownLatch closed, WorkerLog log) {
    Thread hook =
        new Thread(
            () -> {
              worker.drain(Why.SHUTDOWN, settings.drain());
              try {
                closed.await(settings.drain().plus(LEAVE).toSeconds(), TimeUnit.SECONDS);
              } catch (InterruptedException _) {
                // The machine is in a hurry.
              }
            },
            "drain");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      worker.run();
      return true;
    } catch (Ended e) {
      log.warn("worker.refused", "reason", String.valueOf(e.getMessage()));
      return false;
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // It is what ends us.
      }
    }
  }

  private static WorkerLog.Look look(WorkerSettings settings, boolean terminal) {
    return switch (settings.logFormat()) {
      case JSON -> WorkerLog.Look.JSON;
      case TEXT -> WorkerLog.Look.TEXT;
      case AUTO -> terminal ? WorkerLog.Look.TEXT : WorkerLog.Look.JSON;
    };
  }

  private static String workerId(WorkerSettings settings, Optional<Imds> imds)
      throws InterruptedException {
    if (settings.workerId().isPresent()) {
      return settings.workerId().get();
    }
    try {
      if (imds.isPresent()) {
        Optional<String> instance = imds.get().get("meta-data/instance-id", OnEc2.SLOW_BOOT);
        if (instance.isPresent()) {
          return instance.get();
        }
      }
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "worker";
    } catch (IOException e) {
      throw new IllegalArgumentException("the instance's id can't be read; set WORKER_ID", e);
    }
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }
}
