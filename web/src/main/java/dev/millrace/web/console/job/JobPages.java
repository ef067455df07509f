package dev.millrace.web.console.job;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.fleet.Leases;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.Services;
import dev.millrace.service.access.Scope;
import dev.millrace.service.fleet.Waits;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.Waiter;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.Html;
import dev.millrace.web.console.frame.InputVisibility;
import dev.millrace.web.console.frame.Page;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.ShownOutput;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.SseSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** One job: how it stands, live; what it made; its whole story; and what can be done about it. */
public final class JobPages {

  private static final int MOST_EVENTS = 500;
  private static final int FIRST_EVENTS = 20;
  private static final int MOST_LOOKS = 3;
  private static final int MOST_DELIVERIES = 50;

  /** A lease is extended without any event. */
  private static final Duration LEASE_LOOK = Duration.ofSeconds(5);

  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** A stream that is silent for so long is dead, though its connection may stand. */
  public static final Duration SILENCE = HEARTBEAT.plus(HEARTBEAT).plusSeconds(5);

  /** A page that is drawn more often than this is not seen better. */
  private static final Duration PACE = Duration.ofMillis(250);

  private static final Set<State> WAITING = Set.of(State.QUEUED, State.PENDING, State.SUBMITTED);

  private final PageAccess doors;
  private final Database database;
  private final Hub hub;
  private final JobActions actions;
  private final Waits waits;
  private final SubmitAnswers answers;

  public JobPages(PageAccess doors, Services services, SubmitAnswers answers) {
    this.doors = doors;
    this.database = services.database();
    this.hub = services.hub();
    this.actions = services.jobs().actions();
    this.waits = services.jobs().waits();
    this.answers = answers;
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/jobs/{id}", Scope.JOBS_READ, this::show),
        doors.page("/console/jobs/{id}/live", Scope.JOBS_READ, this::live),
        doors.page("/console/jobs/{id}/receipt", Scope.JOBS_READ, this::receipt),
        doors.deed("/console/jobs/{id}/uncover", Scope.REVIEWS_WRITE, this::uncover),
        doors.deed("/console/jobs/{id}/cancel", Scope.JOBS_WRITE, this::cancel),
        doors.deed("/console/jobs/{id}/retry", Scope.JOBS_WRITE, this::retry),
        doors.deed("/console/jobs/{id}/retry-in-place", Scope.TASKS_WRITE, this::retryInPlace),
        doors.deed("/console/jobs/{id}/delete", Scope.JOBS_WRITE, this::delete));
  }

  private JobView find(Visit visit) {
    return database
        .jobs()
        .find(visit.principal().visibility(), visit.id())
        .orElseThrow(ProblemException::notFound);
  }

  private Response show(Visit visit) throws Exception {
    return show(visit, find(visit), false);
  }

  private Response show(Visit visit, JobView job, boolean uncovered) throws Exception {
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page(job.request().effect(), "jobs"));
    boolean open = uncovered || InputVisibility.mayRead(visit, job);
    model.put("sheet", sheet(visit, job, open));
    model.put("masked", !open);
    model.put("canUncover", !open && InputVisibility.mayUncover(visit));
    model.put("input", open ? pretty(job.request().input()) : "");
    return doors.html().page(200, "job", model);
  }

  public static String pretty(@Nullable String json) {
    JsonMapper mapper = JsonMapper.shared();
    return json == null
        ? ""
        : mapper.writerWithDefaultPrettyPrinter().writeValueAsString(mapper.readTree(json));
  }

  /**
   * All of one moment: the job, its lease and its tries are asked for one after the other, so if it
   * went on meanwhile they are asked for again.
   */
  private JobSheet sheet(Visit visit, JobView job, boolean open) throws Exception {
    JobSheet sheet = look(visit, job, open);
    for (int i = 0; i < MOST_LOOKS; i++) {
      int seen = sheet.job().report().events();
      Optional<JobView> now =
          database.jobs().find(Visibility.of(job.request().tenantId()), job.id());
      if (now.isEmpty() || now.get().report().events() == seen) {
        break;
      }
      sheet = look(visit, now.get(), open);
    }
    return sheet;
  }

  /** A file may be named after the words that it was made from, so it is masked with them. */
  private JobSheet look(Visit visit, JobView job, boolean open) throws Exception {
    List<EventView> events = events(job);
    Waits.@Nullable Why why = why(job);
    return new JobSheet(
        job,
        open ? outputs(visit, job) : List.of(),
        new JobSheet.History(
            events,
            database.jobs().attempts(job.request().tenantId(), job.id()),
            Timeline.of(job, events, Instant.now()),
            events.isEmpty()),
        database.wallets().linesOfJob(job.request().tenantId(), job.id()),
        why,
        database.leases().standing(job.request().tenantId(), job.id()).orElse(null),
        visit.may(Scope.WEBHOOKS_READ)
            ? database.deliveries().ofJob(job.request().tenantId(), job.id(), MOST_DELIVERIES)
            : List.of());
  }

  private Waits.@Nullable Why why(JobView job) {
    if (!WAITING.contains(job.state())) {
      return null;
    }
    Waits.Why why = waits.why(job);
    return why.reason().isNone() ? null : why;
  }

  /** The newest ones, and of a job that has more also how it began. */
  private List<EventView> events(JobView job) {
    int older = job.report().events() - MOST_EVENTS;
    List<EventView> newest =
        database
            .events()
            .after(job.request().tenantId(), job.id(), Math.max(0, older), MOST_EVENTS);
    if (older <= 0 || newest.isEmpty()) {
      return newest;
    }
    int first = newest.getFirst().seq();
    List<EventView> all =
        new ArrayList<>(
            database
                .events()
                .after(job.request().tenantId(), job.id(), 0, Math.min(older, FIRST_EVENTS))
                .stream()
                .filter(event -> event.seq() < first)
                .toList());
    all.addAll(newest);
    return all;
  }

  private List<ShownOutput> outputs(Visit visit, JobView job) {
    return database.files().ofJobs(job.request().tenantId(), List.of(job.id())).stream()
        .map(file -> ShownOutput.of(file, visit.base()))
        .toList();
  }

  private Response live(Visit visit) {
    JobView job = find(visit);
    return Html.guarded(DatabaseProblems.stream(sink -> follow(visit, job, sink)))
        .header("Cache-Control", "no-store, no-transform");
  }

  /**
   * Draws the live part of the page anew with every event, until the job has ended. The page says
   * which state it shows: the job may have turned since it was drawn.
   */
  private void follow(Visit visit, JobView first, SseSink sink) throws Exception {
    int seen = -1;
    @Nullable State state = State.find(visit.query("shown")).orElse(null);
    @Nullable Instant lease = null;
    try (Waiter news = hub.forJob(first.id())) {
      sink.onClose(news::wake);
      while (!sink.closing() && doors.visitor(visit.request()).isPresent()) {
        Optional<JobView> found = database.jobs().find(visit.principal().visibility(), first.id());
        if (found.isEmpty()) {
          return; // It was deleted under our eyes.
        }
        JobView job = found.get();
        @Nullable Instant held = heldUntil(job);
        if (job.report().events() != seen || !Objects.equals(held, lease)) {
          seen = job.report().events();
          lease = held;
          sink.event(Integer.toString(seen), null, drawn(visit, job, job.state() != state));
          state = job.state();
        }
        if (job.state().terminal()) {
          sink.event(null, "end", job.state().label());
          return;
        }
        if (news.await(lease == null ? HEARTBEAT : LEASE_LOOK)) {
          Thread.sleep(PACE);
        } else {
          sink.comment("still here");
        }
      }
    }
  }

  private @Nullable Instant heldUntil(JobView job) {
    return database
        .leases()
        .standing(job.request().tenantId(), job.id())
        .map(Leases.Standing::expiresAt)
        .orElse(null);
  }

  /** The live part of the page and the facts; after a turn also what can be done now. */
  private String drawn(Visit visit, JobView job, boolean turn) throws Exception {
    Page page = visit.page("", "");
    boolean open = InputVisibility.mayRead(visit, job);
    JobSheet sheet = sheet(visit, job, open);
    Map<String, Object> rest = Map.of("page", page, "sheet", sheet, "masked", !open, "turn", turn);
    return doors.html().text("jobLive", Map.of("page", page, "sheet", sheet))
        + doors.html().text("jobTurn", rest);
  }

  private Response receipt(Visit visit) throws Exception {
    JobView job = find(visit);
    return doors
        .html()
        .page(
            200,
            "receipt",
            Map.of(
                "page", visit.page("Receipt", "wallet"),
                "job", job,
                "lines", database.wallets().linesOfJob(job.request().tenantId(), job.id()),
                "attempts", database.jobs().attempts(job.request().tenantId(), job.id())));
  }

  /** Somebody else's prompt, for who must see it; the audit says who did. */
  private Response uncover(Visit visit) throws Exception {
    JobView job = find(visit);
    actions.uncover(visit.principal(), job);
    return show(visit, job, true);
  }

  private Response cancel(Visit visit) throws InterruptedException {
    Job after = Refusals.requireDone(actions.cancel(visit.principal(), find(visit)), "canceled");
    String done = after.state() == State.CANCELING ? "canceling" : "canceled";
    return visit.to("/console/jobs/" + visit.id() + "?done=" + done);
  }

  private Response retry(Visit visit) throws InterruptedException {
    JobSubmission.Outcome outcome =
        Refusals.requireRetried(actions.retry(visit.principal(), find(visit), null, false));
    return visit.to("/console/jobs/" + answers.require(outcome).id());
  }

  private Response retryInPlace(Visit visit) throws InterruptedException {
    Refusals.requireContinued(actions.retryInPlace(visit.principal(), find(visit)));
    return visit.to("/console/jobs/" + visit.id() + "?done=retried");
  }

  private Response delete(Visit visit) throws InterruptedException {
    Refusals.requireDeleted(actions.delete(visit.principal(), find(visit)));
    return visit.to("/console/jobs?done=deleted");
  }
}
