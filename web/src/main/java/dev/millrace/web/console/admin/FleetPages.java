package dev.millrace.web.console.admin;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.jobs.QueueView;
import dev.millrace.service.Services;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.fleet.WorkerActions;
import dev.millrace.service.jobs.CatalogueActions;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.api.fleet.FleetRefusals;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Queues and the workers that serve them. */
public final class FleetPages {

  private static final Pauses.Kind WORKFLOW = Pauses.Kind.WORKFLOW;
  private static final int MOST = 500;

  private final PageAccess doors;
  private final Database database;
  private final Offers offers;
  private final WorkerActions actions;
  private final CatalogueActions catalogue;
  private final OneTimeSecrets once;

  public FleetPages(PageAccess doors, Services services, OneTimeSecrets once) {
    this.doors = doors;
    this.database = services.database();
    this.offers = services.offers();
    this.actions = services.fleet().actions();
    this.catalogue = services.admins().catalogue();
    this.once = once;
  }

  /** A queue with who runs it. */
  public record Queue(QueueView view, String executor) {
    /** How long what waits may take, from what ended lately. */
    public String eta() {
      return view.completedPerMinute() > 0 && view.load().depth() > 0
          ? "about " + Words.span(view.load().depth() / view.completedPerMinute() * 60)
          : "–";
    }

    public boolean served() {
      return !executor.equals("worker")
          || view.fleet().busyWorkers() + view.fleet().idleWorkers() > 0;
    }
  }

  /** A worker with the names of what it runs. */
  public record Worker(WorkerView view, String workflows) {}

  public List<Route> routes() {
    return List.of(
        doors.page("/console/queues", Scope.QUEUES_READ, visit -> queues(visit, "queues")),
        doors.page("/console/queues/now", Scope.QUEUES_READ, visit -> queues(visit, "queuesNow")),
        doors.deed(
            "/console/queues/{slug}/pause",
            Scope.CATALOGUE_WRITE,
            visit ->
                held(visit, "paused", catalogue.pause(visit.principal(), WORKFLOW, slug(visit)))),
        doors.deed(
            "/console/queues/{slug}/resume",
            Scope.CATALOGUE_WRITE,
            visit ->
                held(visit, "resumed", catalogue.resume(visit.principal(), WORKFLOW, slug(visit)))),
        doors.page("/console/workers", Scope.FLEET_READ, visit -> workers(visit, "workers")),
        doors.page("/console/workers/now", Scope.FLEET_READ, visit -> workers(visit, "workersNow")),
        doors.deed("/console/workers/{worker}/remove", Scope.FLEET_WRITE, this::remove),
        doors.deed("/console/workers/{worker}/rotate", Scope.FLEET_WRITE, this::rotate),
        doors.deed("/console/workers/{worker}/{deed}", Scope.FLEET_WRITE, this::worker));
  }

  private Response queues(Visit visit, String template) {
    List<Queue> queues =
        database.queues().standing().stream()
            .map(view ->
                new Queue(
                    view,
                    offers
                        .workflow(view.workflow())
                        .map(found -> found.workflow().executor())
                        .orElse("not in the catalogue")))
            .toList();
    return doors
        .html()
        .page(200, template, Map.of("page", visit.page("Queues", "queues"), "queues", queues));
  }

  private static String slug(Visit visit) {
    return visit.request().pathParameter("slug");
  }

  private static Response held(Visit visit, String done, Optional<Pauses.Standing> now) {
    if (now.isEmpty()) {
      throw ProblemException.notFound();
    }
    return visit.to("/console/queues?done=" + done);
  }

  private Response workers(Visit visit, String template) {
    List<Worker> workers =
        database.workers().list(null, MOST).stream()
            .map(view ->
                new Worker(
                    view,
                    view.workflowIds().stream()
                        .flatMap(id -> offers.workflow(id).stream())
                        .map(found -> found.workflow().slug())
                        .sorted()
                        .collect(Collectors.joining(", "))))
            .toList();
    return doors
        .html()
        .page(200, template, Map.of("page", visit.page("Workers", "workers"), "workers", workers));
  }

  private Response worker(Visit visit) throws InterruptedException {
    String verb = visit.request().pathParameter("deed");
    Principal by = visit.principal();
    String id = id(visit);
    FleetRefusals.requireDone(
        switch (verb) {
          case "approve" -> actions.approve(by, id);
          case "drain" -> actions.drain(by, id);
          case "resume" -> actions.resume(by, id);
          case "revoke" -> actions.revoke(by, id);
          default -> new WorkerActions.Outcome.Missing();
        });
    return visit.to("/console/workers?done=" + verb);
  }

  private Response rotate(Visit visit) {
    WorkerActions.Outcome outcome = actions.rotate(visit.principal(), id(visit));
    FleetRefusals.requireDone(outcome);
    if (!(outcome instanceof WorkerActions.Outcome.Rotated(_, var token))) {
      throw new IllegalStateException("a rotation without a token: " + outcome);
    }
    return once.lead(
        visit,
        "New token",
        "workers",
        "The token of " + id(visit),
        token.text(),
        "/console/workers");
  }

  private Response remove(Visit visit) throws InterruptedException {
    FleetRefusals.requireDone(actions.remove(visit.principal(), id(visit)));
    return visit.to("/console/workers?done=removed");
  }

  private static String id(Visit visit) {
    return visit.request().pathParameter("worker");
  }
}
