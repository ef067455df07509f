package dev.millrace.web.console.admin;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.jobs.QueueView;
import dev.millrace.service.access.Role;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Queues and the workers that serve them. */
public final class FleetPages {

  private static final Set<String> DEEDS = Set.of("approve", "drain", "resume", "revoke");
  private static final int MOST = 500;

  private final PageAccess doors;
  private final Database database;
  private final Offers offers;
  private final OneTimeSecrets once;

  public FleetPages(PageAccess doors, Database database, Offers offers, OneTimeSecrets once) {
    this.doors = doors;
    this.database = database;
    this.offers = offers;
    this.once = once;
  }

  /** A queue with who runs it. */
  public record Queue(QueueView view, String executor) {
    /** How long what waits may take, from what ended lately. */
    public String eta() {
      return view.completedPerMinute() > 0 && view.depth() > 0
          ? "about " + Words.span(view.depth() / view.completedPerMinute() * 60)
          : "–";
    }

    public boolean served() {
      return !executor.equals("worker") || view.busyWorkers() + view.idleWorkers() > 0;
    }
  }

  /** A worker with the names of what it runs. */
  public record Worker(WorkerView view, String workflows) {}

  public List<Route> routes() {
    return List.of(
        doors.page("/console/queues", Role.ADMIN, visit -> queues(visit, "queues")),
        doors.page("/console/queues/now", Role.ADMIN, visit -> queues(visit, "queuesNow")),
        doors.deed("/console/queues/{slug}/pause", Role.ADMIN, visit -> hold(visit, "pause")),
        doors.deed("/console/queues/{slug}/resume", Role.ADMIN, visit -> hold(visit, "resume")),
        doors.page("/console/workers", Role.ADMIN, visit -> workers(visit, "workers")),
        doors.page("/console/workers/now", Role.ADMIN, visit -> workers(visit, "workersNow")),
        doors.deed("/console/workers/{worker}/remove", Role.ADMIN, this::remove),
        doors.deed("/console/workers/{worker}/rotate", Role.ADMIN, this::rotate),
        doors.deed("/console/workers/{worker}/{deed}", Role.ADMIN, this::worker));
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

  private Response hold(Visit visit, String deed) throws Exception {
    String slug = visit.request().pathParameter("slug");
    visit.post("/api/admin/workflows/" + encoded(slug) + "/" + deed, null);
    return visit.to("/console/queues?done=" + deed + "d");
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

  private Response worker(Visit visit) throws Exception {
    String deed = visit.request().pathParameter("deed");
    if (!DEEDS.contains(deed)) {
      throw ProblemException.notFound();
    }
    visit.post("/api/admin/workers/" + name(visit) + "/" + deed, null);
    return visit.to("/console/workers?done=" + deed);
  }

  private Response rotate(Visit visit) throws Exception {
    String token =
        visit
            .post("/api/admin/workers/" + name(visit) + "/rotate", null)
            .path("token")
            .asString("");
    return once.lead(
        visit,
        "New token",
        "workers",
        "The token of " + visit.request().pathParameter("worker"),
        token,
        "/console/workers");
  }

  private Response remove(Visit visit) throws Exception {
    visit.call("DELETE", "/api/admin/workers/" + name(visit), null);
    return visit.to("/console/workers?done=removed");
  }

  private static String name(Visit visit) {
    return encoded(visit.request().pathParameter("worker"));
  }

  static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
