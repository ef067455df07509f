package dev.millrace.worker.run;

import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.Registration;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.files.WorkerMemory;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.log.WorkerLog;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The worker's place in the fleet. The token is shown once, so it is kept: a worker that was killed
 * comes back as the same one, with the leases it had.
 */
public final class Membership {

  private final ControlPlane server;
  private final WorkerMemory memory;
  private final Registration.Request request;
  private final String fleetSecret;
  private final String fingerprint;
  private final WorkerLog log;
  private Optional<String> given = Optional.empty();

  public Membership(
      ControlPlane server,
      WorkerMemory memory,
      Registration.Request request,
      URI serverUrl,
      String fleetSecret,
      WorkerLog log) {
    this.server = server;
    this.memory = memory;
    this.request = request;
    this.fleetSecret = fleetSecret;
    this.log = log;
    fingerprint =
        String.join(
            " ",
            serverUrl.toString(),
            request.workerId(),
            String.join(",", request.workflows()),
            String.join(",", request.providers()),
            String.valueOf(request.maxConcurrency()));
  }

  /** Goes on with a token that an admin gave by hand, because the old one was rotated. */
  public Membership with(Optional<String> token) {
    given = token;
    return this;
  }

  /**
   * Takes up the old registration if it still fits, or makes a new one, however long that takes.
   *
   * @throws Ended if the server says no
   */
  Registration join() throws Ended, InterruptedException {
    Optional<JsonNode> kept = memory.registration();
    if (given.isPresent()) {
      Registration registered = kept.map(Registration::of).orElseGet(this::unknown);
      Registration renewed = registered.with(given.get());
      server.use(renewed.token());
      memory.registration(renewed.json().put("fingerprint", fingerprint));
      log.info("worker.resumed", "worker", renewed.workerId());
      return renewed;
    }
    if (kept.isPresent()) {
      Registration old = Registration.of(kept.get());
      server.use(old.token());
      if (kept.get().path("fingerprint").asString("").equals(fingerprint)) {
        log.info("worker.resumed", "worker", old.workerId());
        return old;
      }
      leave();
    }
    Registration registration = register();
    server.use(registration.token());
    ObjectNode json = registration.json().put("fingerprint", fingerprint);
    memory.registration(json);
    log.info(
        "worker.registered",
        "worker",
        registration.workerId(),
        "status",
        registration.status(),
        "workflows",
        String.join(",", registration.workflows()));
    return registration;
  }

  /** As the server has it by default; each job brings the times that are really meant. */
  private Registration unknown() {
    return new Registration(
        request.workerId(),
        "",
        "approved",
        request.workflows(),
        Duration.ofSeconds(60),
        Duration.ofSeconds(20));
  }

  private Registration register() throws Ended, InterruptedException {
    Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    while (true) {
      try {
        return server.register(request, fleetSecret);
      } catch (TryLater e) {
        log.warn("register.failed", "reason", e);
        Thread.sleep(backoff.next(e.atLeast()));
      } catch (NotAllowed e) {
        throw new Ended("The server refused the fleet secret or this worker: " + e.getMessage());
      } catch (Refused e) {
        String hint =
            e.status() == 409
                ? " If it is about the id '"
                    + request.workerId()
                    + "': remove that worker at the server, or set another WORKER_ID."
                : "";
        throw new Ended("The server refused to register this worker: " + e.getMessage() + hint);
      }
    }
  }

  /** The server doesn't know this worker any more. */
  void forget() {
    given = Optional.empty();
    memory.forgetRegistration();
  }

  /** Takes leave. Leases that are still held go back to the queue. */
  void leave() throws InterruptedException {
    try {
      server.deregister();
      log.info("worker.deregistered", "worker", request.workerId());
    } catch (NotAllowed | TryLater | Refused e) {
      log.warn("deregister.failed", "reason", e);
    }
    forget();
  }
}
