package dev.millrace.service.fleet;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.postgres.fleet.Workers.Registration;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.limits.RequestRates;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Takes workers into the fleet. Each way of not being taken has a code of its own. */
public final class Enrolment {

  private static final String HEADER = "X-Fleet-Secret";

  private final FleetSettings settings;
  private final FleetSecret secret;
  private final Workers workers;
  private final Offers offers;
  private final RequestRates rates;
  private final Audit audit;
  private final IntSupplier home;
  private final Consumer<String> machineCheck;

  /**
   * Opens the door.
   *
   * @param home the tenant in whose audit the fleet's lines are
   * @param machineCheck refuses a worker's name that is a machine's it shouldn't be
   */
  Enrolment(
      FleetSettings settings,
      Workers workers,
      Offers offers,
      RequestRates rates,
      Audit audit,
      IntSupplier home,
      Consumer<String> machineCheck) {
    this.settings = settings;
    this.secret = new FleetSecret(settings.secret(), settings.previousSecret());
    this.workers = workers;
    this.offers = offers;
    this.rates = rates;
    this.audit = audit;
    this.home = home;
    this.machineCheck = machineCheck;
  }

  /**
   * What a worker says of itself.
   *
   * @param providers null for any
   * @param capabilities a JSON object
   */
  public record Application(
      String id,
      List<String> workflowSlugs,
      int maxConcurrency,
      @Nullable Set<String> providers,
      String capabilities) {}

  /** A new worker, and its token in clear, which nobody sees again. */
  public record Enrolled(WorkerView worker, WorkerToken token) {}

  /** Refuses whoever doesn't know the fleet's secret. */
  public void requireSecret(Request request) {
    secret.requireOpen();
    Optional<String> shown = request.header(HEADER);
    if (shown.filter(secret::matches).isEmpty()) {
      rates.requirePatience(request.remoteAddress());
      rates.countStranger(request.remoteAddress());
      throw new ProblemException(
          401,
          "fleet_secret_wrong",
          shown.isEmpty()
              ? "Send the fleet's secret in the header X-Fleet-Secret."
              : "This is not the fleet's secret. It may have been rotated: ask the operator.");
    }
  }

  public Enrolled register(Application application) {
    List<Integer> queues = queues("/workflow_slugs", application.workflowSlugs());
    machineCheck.accept(application.id());
    WorkerToken token = WorkerToken.random();
    Registration registration =
        workers.register(
            new Workers.NewWorker(
                application.id(),
                UuidCreator.getTimeOrderedEpoch(),
                token.hash(),
                application.maxConcurrency(),
                application.providers(),
                application.capabilities(),
                queues,
                settings.approval() == FleetSettings.Approval.AUTOMATIC),
            settings.maxWorkers());
    return switch (registration) {
      case Registration.Registered(WorkerView worker) -> {
        note(worker, "worker.register");
        yield new Enrolled(worker, token);
      }
      case Registration.Full(int most) ->
          throw new ProblemException(
              409,
              "fleet_full",
              "The fleet has as many workers as it may have, %d. Raise MILLRACE_FLEET_MAX_WORKERS, or remove some."
                  .formatted(most));
      case Registration.Taken(WorkerView by) -> throw taken(by);
    };
  }

  private ProblemException taken(WorkerView by) {
    return by.revoked()
        ? new ProblemException(
            403,
            "name_revoked",
            "An admin revoked the worker of this name. It can register again once an admin removed it.")
        : new ProblemException(
            409,
            "worker_exists",
            "A worker of this name is registered. Go on with its token, deregister it, or wait until it was silent for %d seconds."
                .formatted(settings.silence().toSeconds()));
  }

  /**
   * The queues of these workflows.
   *
   * @param path where they are in the request
   */
  public List<Integer> queues(String path, List<String> slugs) {
    List<Violation> wrong = new ArrayList<>();
    Set<Integer> queues = new LinkedHashSet<>();
    @Nullable Problem first = null;
    for (int i = 0; i < slugs.size(); i++) {
      Offers.Queue queue = offers.workflow(slugs.get(i)).orElse(null);
      Problem refusal = refusal(queue);
      if (refusal != null) {
        first = first == null ? refusal : first;
        wrong.add(new Violation(path + "/" + i, refusal.detail()));
      } else if (queue != null) {
        queues.add(queue.id());
      }
    }
    if (first != null) {
      throw new ProblemException(first.with("errors", wrong));
    }
    return List.copyOf(queues);
  }

  private static @Nullable Problem refusal(Offers.@Nullable Queue queue) {
    if (queue == null) {
      return Problem.of(422, "unknown_workflow", "The catalogue has no workflow of this slug.");
    }
    if (!queue.workflow().executor().equals(Polling.EXECUTOR)) {
      return Problem.of(422, "not_for_workers", "Workers run workflows of the executor worker.");
    }
    return queue.workflow().active()
        ? null
        : Problem.of(422, "inactive_workflow", "This workflow is not active.");
  }

  /** A line in the audit that the worker itself is the cause of. */
  public void note(WorkerView worker, String action) {
    var detail = JsonMapper.shared().createObjectNode();
    detail.put("status", worker.status()).put("max_concurrency", worker.maxConcurrency());
    audit.write(
        new Audit.Line(
            home.getAsInt(), "worker:" + worker.id(), action, worker.id(), detail.toString()));
  }
}
