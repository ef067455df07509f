package dev.millrace.web.console.job;

import dev.millrace.postgres.jobs.FirstId;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.jobs.TaskJobs;
import dev.millrace.postgres.jobs.TaskView;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.tasks.BulkTasks;
import dev.millrace.service.tasks.TaskAction;
import dev.millrace.service.tasks.TaskFilter;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Jobs in pages, by what somebody asks for, and what is done to many of them. */
public final class JobList {

  private static final int PAGE = 50;
  private static final int MOST_NEWS = 100;

  /** As many jobs are looked at in one go, however few of them match. */
  private static final int STRETCH = 5_000;

  /** What is looked at for one page is what there is time for; the rest is asked for again. */
  private static final Duration PATIENCE = Duration.ofMillis(40);

  private static final List<String> COLUMNS =
      List.of("effect", "user", "progress", "credits", "tries", "error", "age");
  private static final List<String> USUAL = List.of("effect", "user", "progress", "credits", "age");

  private final PageAccess doors;
  private final Jobs jobs;
  private final BulkTasks tasks;
  private final JobActions actions;

  public JobList(PageAccess doors, Jobs jobs, BulkTasks tasks, JobActions actions) {
    this.doors = doors;
    this.jobs = jobs;
    this.tasks = tasks;
    this.actions = actions;
  }

  /**
   * A page of the list and the way on.
   *
   * @param further whether the page ends because enough jobs were looked at
   */
  public record Listing(
      List<JobView> jobs,
      String q,
      JobQuery query,
      List<String> columns,
      String newest,
      String next,
      boolean further) {

    public boolean has(String column) {
      return columns.contains(column);
    }

    /** The address of the same list with another question. */
    public String with(JobQuery other) {
      return "/console/jobs?q=" + encoded(other.text());
    }

    public String nextPage() {
      return "/console/jobs?q="
          + encoded(q)
          + "&before="
          + next
          + String.join("", columns.stream().map(column -> "&col=" + column).toList());
    }

    public String news() {
      return "/console/jobs-news?q=" + encoded(q) + "&after=" + newest;
    }

    String here() {
      return "/console/jobs?q=" + encoded(q);
    }
  }

  /** What a deed on many jobs would do. */
  public record Plan(
      String action, long jobs, long credits, boolean all, List<String> ids, String q) {
    public String money() {
      return switch (action) {
        case "cancel" -> "At most " + Words.credits(credits) + " come back.";
        case "retry" -> "At most " + Words.credits(credits) + " are held anew.";
        default -> "No credits move. Files and inputs are removed for good.";
      };
    }
  }

  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/jobs", Scope.JOBS_READ, this::list),
        doors.page("/console/jobs-news", Scope.JOBS_READ, this::news),
        doors.page("/console/dead-letters", Scope.TASKS_READ, this::dead),
        doors.deed("/console/jobs-bulk", Scope.TASKS_WRITE, this::plan),
        doors.deed("/console/jobs-bulk/go", Scope.TASKS_WRITE, this::go),
        doors.page("/console/tasks", Scope.TASKS_READ, visit -> tasks(visit, "tasks")),
        doors.page("/console/tasks/now", Scope.TASKS_READ, visit -> tasks(visit, "tasksNow")),
        doors.deed("/console/tasks/{id}/stop", Scope.TASKS_WRITE, this::stop));
  }

  /** Who asks for one job by its id wants to see that job. */
  private Response list(Visit visit) {
    String q = visit.query("q");
    Optional<JobView> one =
        JobQuery.parse(q).whole().flatMap(id -> jobs.find(visit.principal().visibility(), id));
    return one.isPresent()
        ? visit.to("/console/jobs/" + one.get().id())
        : list(visit, q, "Jobs", "jobs");
  }

  private Response dead(Visit visit) {
    return list(visit, "state:dead_letter,failed", "Dead letters", "dead");
  }

  private Response list(Visit visit, String q, String title, String section) {
    JobQuery query = JobQuery.parse(q);
    String before = visit.query("before");
    Instant now = Instant.now();
    Jobs.Filter filter = query.filter(visit, before.isEmpty() ? null : Visit.id(before), PAGE, now);
    Walk walk = query.findsAnything(visit) ? walk(query, filter, now) : Walk.NOWHERE;
    List<JobView> shown = walk.found();
    List<String> chosen =
        visit.request().queryAll("col").stream().filter(COLUMNS::contains).toList();
    @Nullable UUID end = walk.end();
    boolean further = end != null;
    String next = shown.size() == PAGE ? shown.getLast().id().toString() : "";
    if (end != null) {
      next = end.toString();
    }
    Listing listing =
        new Listing(
            shown,
            query.complaints().isEmpty() ? query.text() : q,
            query,
            chosen.isEmpty() ? USUAL : chosen,
            before.isEmpty() ? newest(shown, now).toString() : "",
            next,
            further);
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page(title, section));
    model.put("listing", listing);
    model.put("all", COLUMNS);
    return doors.html().page(200, "jobs", model);
  }

  /** After which job others are new: the first that is shown, or any that is asked for now. */
  private static UUID newest(List<JobView> shown, Instant now) {
    return shown.isEmpty() ? FirstId.at(now) : shown.getFirst().id();
  }

  /**
   * What was found on a walk.
   *
   * @param end where it was broken off for want of time; null if it came to an end
   */
  private record Walk(List<JobView> found, @Nullable UUID end) {
    static final Walk NOWHERE = new Walk(List.of(), null);
  }

  /** Looks at stretch after stretch until the page is full, or time is up. */
  private Walk walk(JobQuery query, Jobs.Filter filter, Instant now) {
    if (query.text().isEmpty()) {
      return new Walk(jobs.list(filter), null);
    }
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<JobView> found = new ArrayList<>();
    @Nullable UUID from = filter.before();
    while (true) {
      Jobs.Filter rest = filter.from(from, PAGE - found.size());
      @Nullable UUID floor = jobs.floor(rest, STRETCH).orElse(null);
      jobs.list(rest, floor).stream()
          .filter(job -> query.youngEnough(job.id(), now))
          .forEach(found::add);
      if (floor == null || found.size() == PAGE || !query.youngEnough(floor, now)) {
        return new Walk(found, null);
      }
      if (System.nanoTime() > end) {
        return new Walk(found, floor);
      }
      from = floor;
    }
  }

  /** How many jobs there are that the list doesn't show yet. */
  private Response news(Visit visit) {
    JobQuery query = JobQuery.parse(visit.query("q"));
    UUID after = Visit.id(visit.query("after"));
    long count =
        jobs.list(query.filter(visit, null, MOST_NEWS, Instant.now()), after).stream()
            .takeWhile(job -> job.id().toString().compareTo(after.toString()) > 0)
            .count();
    return doors
        .html()
        .page(
            200,
            "news",
            Map.of(
                "page",
                visit.page("", ""),
                "count",
                count,
                "here",
                "/console/jobs?q=" + encoded(query.text()),
                "poll",
                visit.base()
                    + "/console/jobs-news?q="
                    + encoded(query.text())
                    + "&after="
                    + after));
  }

  private Response plan(Visit visit) throws Exception {
    TaskAction action = action(visit);
    boolean all = visit.field("scope").equals("all");
    List<String> ids = all ? List.of() : visit.form().getOrDefault("id", List.of());
    String q = visit.field("q");
    long count = 0;
    long credits = 0;
    if (all && JobQuery.parse(q).findsAnything(visit) && !filter(action, q).isEmpty()) {
      TaskJobs.Quote quote = tasks.quote(visit.tenant(), action, filter(action, q).get());
      count = quote.jobs();
      credits = quote.credits();
    } else {
      for (String id : ids) {
        JobView job =
            jobs.find(visit.principal().visibility(), Visit.id(id))
                .orElseThrow(ProblemException::notFound);
        if (action.states().contains(job.state())) {
          count++;
          credits += action == TaskAction.DELETE ? 0 : job.credits().held();
        }
      }
    }
    Plan plan = new Plan(action.label(), count, credits, all, ids, q);
    return doors
        .html()
        .page(200, "plan", Map.of("page", visit.page("Sure?", "jobs"), "plan", plan));
  }

  private static TaskAction action(Visit visit) {
    return TaskAction.ofLabel(visit.field("action"))
        .filter(action -> action != TaskAction.RECHECK)
        .orElseThrow(() -> ProblemException.invalid("action", "must be retry, cancel or delete"));
  }

  /** Which jobs are meant; empty if the action makes no sense in any of the states asked for. */
  private static Optional<TaskFilter> filter(TaskAction action, String q) {
    JobQuery query = JobQuery.parse(q);
    if (query.ending() != null) {
      throw ProblemException.invalid("q", "has an id: select the job, rather than all that match");
    }
    return query.taskFilter(action.states(), Instant.now());
  }

  private Response go(Visit visit) throws Exception {
    TaskAction action = action(visit);
    if (visit.field("scope").equals("all")) {
      if (!JobQuery.parse(visit.field("q")).findsAnything(visit)) {
        throw ProblemException.invalid("q", "must be a filter that means something here");
      }
      TaskFilter filter =
          filter(action, visit.field("q"))
              .orElseThrow(
                  () -> ProblemException.invalid("q", "names no state in which this can be done"));
      tasks.create(visit.tenant(), visit.principal().actor(), action, filter);
      return visit.to("/console/tasks?done=task");
    }
    for (String id : visit.form().getOrDefault("id", List.of())) {
      each(visit, action, Visit.id(id));
    }
    return visit.to("/console/jobs?q=" + encoded(visit.field("q")));
  }

  /** One that has gone on meanwhile doesn't keep the others from being done. */
  private void each(Visit visit, TaskAction action, UUID id) throws InterruptedException {
    Optional<JobView> job = jobs.find(visit.principal().visibility(), id);
    if (job.isEmpty()) {
      return;
    }
    switch (action) {
      case RETRY -> actions.retryInPlace(visit.principal(), job.get());
      case CANCEL -> actions.cancel(visit.principal(), job.get());
      case DELETE -> actions.delete(visit.principal(), job.get());
      case RECHECK -> throw new IllegalStateException("not offered here");
    }
  }

  private Response tasks(Visit visit, String template) {
    String before = visit.query("before");
    List<TaskView> found =
        tasks.list(visit.tenant(), before.isEmpty() ? null : Visit.id(before), PAGE);
    return doors
        .html()
        .page(
            200,
            template,
            Map.of(
                "page",
                visit.page("Tasks", "tasks"),
                "tasks",
                found,
                "before",
                before,
                "next",
                found.size() < PAGE ? "" : found.getLast().id().toString()));
  }

  private Response stop(Visit visit) {
    Refusals.requireStopped(tasks.stop(visit.tenant(), visit.id(), visit.principal().actor()));
    return visit.to("/console/tasks?done=stopped");
  }
}
