package dev.millrace.service.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.fleet.Enrolment.Assignment;
import dev.millrace.service.jobs.Offers;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What an admin does to a worker. Each change is in the audit. */
public final class WorkerActions {

  private final Workers workers;
  private final WorkerTokens tokens;
  private final Enrolment enrolment;
  private final WorkerRemoval removal;
  private final Offers offers;
  private final Audit audit;

  WorkerActions(
      Workers workers,
      WorkerTokens tokens,
      Enrolment enrolment,
      WorkerRemoval removal,
      Offers offers,
      Audit audit) {
    this.workers = workers;
    this.tokens = tokens;
    this.enrolment = enrolment;
    this.removal = removal;
    this.offers = offers;
    this.audit = audit;
  }

  /** What becomes of a change. */
  public sealed interface Outcome {

    record Done(WorkerView worker) implements Outcome {}

    /** A new token in clear, which nobody sees again. */
    record Rotated(WorkerView worker, WorkerToken token) implements Outcome {}

    record Missing() implements Outcome {}

    /** It was revoked for good: it can only be removed. */
    record Revoked() implements Outcome {}

    record BadWorkflows(List<Enrolment.BadWorkflow> wrong) implements Outcome {}
  }

  public Outcome approve(Principal by, String id) {
    return change(by, id, Workers.Change.APPROVE, "worker.approve");
  }

  public Outcome drain(Principal by, String id) {
    return change(by, id, Workers.Change.DRAIN, "worker.drain");
  }

  public Outcome resume(Principal by, String id) {
    return change(by, id, Workers.Change.RESUME, "worker.resume");
  }

  private Outcome change(Principal by, String id, Workers.Change change, String action) {
    return refused(id).orElseGet(() -> done(by, workers.change(id, change), action));
  }

  /** Which workflows it runs from now on. */
  public Outcome assign(Principal by, String id, List<String> slugs) {
    return refused(id)
        .orElseGet(() ->
            switch (enrolment.queues(slugs)) {
              case Assignment.Good(List<Integer> queues) ->
                  done(by, workers.reassign(id, queues), "worker.assign");
              case Assignment.Bad(var wrong) -> new Outcome.BadWorkflows(wrong);
            });
  }

  public Outcome rotate(Principal by, String id) {
    Optional<Outcome> refused = refused(id);
    if (refused.isPresent()) {
      return refused.get();
    }
    WorkerToken token = WorkerToken.random();
    Optional<WorkerView> after = workers.rotate(id, token.hash());
    if (after.isEmpty()) {
      return new Outcome.Missing();
    }
    tokens.changed(after.get());
    audit.write(by.installationAudit("worker.rotate", id, null));
    return new Outcome.Rotated(after.get(), token);
  }

  /** Its token is dead, and its jobs go to others. */
  public Outcome revoke(Principal by, String id) throws InterruptedException {
    Optional<WorkerView> revoked = removal.revoke(id);
    revoked.ifPresent(
        worker -> audit.write(by.installationAudit("worker.revoke", id, detail(worker))));
    return revoked.<Outcome>map(Outcome.Done::new).orElseGet(Outcome.Missing::new);
  }

  /** Forgets it, so that its name is free. */
  public Outcome remove(Principal by, String id) throws InterruptedException {
    Optional<WorkerView> worker = workers.find(id);
    if (worker.isEmpty() || !removal.remove(worker.get())) {
      return new Outcome.Missing();
    }
    audit.write(by.installationAudit("worker.remove", id, null));
    return new Outcome.Done(worker.get());
  }

  private Optional<Outcome> refused(String id) {
    Optional<WorkerView> worker = workers.find(id);
    if (worker.isEmpty()) {
      return Optional.of(new Outcome.Missing());
    }
    return worker.get().revoked() ? Optional.of(new Outcome.Revoked()) : Optional.empty();
  }

  private Outcome done(Principal by, Optional<WorkerView> after, String action) {
    if (after.isEmpty()) {
      return new Outcome.Missing();
    }
    WorkerView worker = after.get();
    tokens.changed(worker);
    audit.write(by.installationAudit(action, worker.id(), detail(worker)));
    return new Outcome.Done(worker);
  }

  private String detail(WorkerView worker) {
    ObjectNode detail =
        JsonMapper.shared().createObjectNode().put("status", worker.status().label());
    var slugs = detail.putArray("workflows");
    worker.workflowIds().stream()
        .flatMap(id -> offers.workflow(id).stream())
        .map(queue -> queue.workflow().slug())
        .sorted()
        .forEach(slugs::add);
    return detail.toString();
  }
}
