package dev.millrace.service.fleet;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.postgres.fleet.Workers.Registration;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.jobs.Offers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Takes workers into the fleet. Each way of not being taken is a result of its own. */
public final class Enrolment {

  private final FleetSettings settings;
  private final FleetSecret secret;
  private final Workers workers;
  private final Offers offers;
  private final Audit audit;
  private final IntSupplier home;
  private final MachineCheck machineCheck;

  /**
   * Lets workers join.
   *
   * @param home the tenant in whose audit the fleet's lines are
   * @param machineCheck whether a worker that is named after a machine may join
   */
  Enrolment(
      FleetSettings settings,
      Workers workers,
      Offers offers,
      Audit audit,
      IntSupplier home,
      MachineCheck machineCheck) {
    this.settings = settings;
    this.secret = new FleetSecret(settings.secret(), settings.previousSecret());
    this.workers = workers;
    this.offers = offers;
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

  /** What became of an application. */
  public sealed interface Outcome {

    /** A new worker, and its token in clear, which nobody sees again. */
    record Registered(WorkerView worker, WorkerToken token) implements Outcome {}

    /** The fleet has as many workers as it may have. */
    record Full(int most) implements Outcome {}

    /** An admin revoked the worker of this name. */
    record NameRevoked() implements Outcome {}

    /**
     * A worker of this name is registered.
     *
     * @param silence after which it would be forgotten
     */
    record NameTaken(Duration silence) implements Outcome {}

    record WorkflowsRefused(List<BadWorkflow> wrong) implements Outcome {}

    /** Its machine is not welcome, or that can't be found out now. */
    record MachineRefused(MachineCheck.Answer why) implements Outcome {}
  }

  /** Why a worker can't be assigned to a workflow. */
  public enum Unfit {
    UNKNOWN,
    NOT_FOR_WORKERS,
    INACTIVE
  }

  /**
   * A workflow that a worker can't be assigned to.
   *
   * @param index of it among those that were named
   */
  public record BadWorkflow(int index, Unfit why) {}

  /** The queues of some workflows, or what is wrong with those. */
  public sealed interface Assignment {

    record Good(List<Integer> queues) implements Assignment {}

    /** At least one of them is wrong, in the order in which they were named. */
    record Bad(List<BadWorkflow> wrong) implements Assignment {}
  }

  /** Whether somebody knows the fleet's secret. */
  public FleetSecret.Answer secret(Optional<String> shown) {
    return secret.of(shown);
  }

  public Outcome register(Application application) {
    return switch (queues(application.workflowSlugs())) {
      case Assignment.Bad(List<BadWorkflow> wrong) -> new Outcome.WorkflowsRefused(wrong);
      case Assignment.Good(List<Integer> queues) -> {
        MachineCheck.Answer machine = machineCheck.of(application.id());
        yield machine == MachineCheck.Answer.WELCOME
            ? register(application, queues)
            : new Outcome.MachineRefused(machine);
      }
    };
  }

  private Outcome register(Application application, List<Integer> queues) {
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
        yield new Outcome.Registered(worker, token);
      }
      case Registration.Full(int most) -> new Outcome.Full(most);
      case Registration.Taken(WorkerView by) ->
          by.revoked() ? new Outcome.NameRevoked() : new Outcome.NameTaken(settings.silence());
    };
  }

  /** The queues of these workflows. */
  public Assignment queues(List<String> slugs) {
    List<BadWorkflow> wrong = new ArrayList<>();
    Set<Integer> queues = new LinkedHashSet<>();
    for (int i = 0; i < slugs.size(); i++) {
      Offers.Queue queue = offers.workflow(slugs.get(i)).orElse(null);
      if (queue == null) {
        wrong.add(new BadWorkflow(i, Unfit.UNKNOWN));
      } else if (!queue.workflow().executor().equals(Polling.EXECUTOR)) {
        wrong.add(new BadWorkflow(i, Unfit.NOT_FOR_WORKERS));
      } else if (!queue.workflow().active()) {
        wrong.add(new BadWorkflow(i, Unfit.INACTIVE));
      } else {
        queues.add(queue.id());
      }
    }
    return wrong.isEmpty()
        ? new Assignment.Good(List.copyOf(queues))
        : new Assignment.Bad(List.copyOf(wrong));
  }

  /** A line in the audit that the worker itself is the cause of. */
  public void note(WorkerView worker, String action) {
    var detail = JsonMapper.shared().createObjectNode();
    detail
        .put("status", worker.status().label())
        .put("max_concurrency", worker.capacity().maxConcurrency());
    audit.write(
        new Audit.Line(
            home.getAsInt(),
            "worker:" + worker.id(),
            action,
            worker.id(),
            detail.toString(),
            true));
  }
}
