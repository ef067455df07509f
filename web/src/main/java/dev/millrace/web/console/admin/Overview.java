package dev.millrace.web.console.admin;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.jobs.QueueView;
import dev.millrace.postgres.jobs.TenantActivity;
import dev.millrace.service.access.Scope;
import dev.millrace.service.execution.ProviderOverview;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How everything stands, and what needs a person. */
public final class Overview {

  private static final int SLOTS = 48;
  private static final int MOST_WORKERS = 500;
  private static final String WORKER = "worker";

  private final PageAccess doors;
  private final Database database;
  private final Offers offers;
  private final OverviewWarnings troubles;

  public Overview(PageAccess doors, Database database, Offers offers, ProviderOverview providers) {
    this.doors = doors;
    this.database = database;
    this.offers = offers;
    this.troubles = new OverviewWarnings(database, providers);
  }

  /**
   * Something that a person should look at.
   *
   * @param tone bad or warn
   * @param to where it is dealt with
   */
  public record Notice(String tone, String icon, String text, String to, String label) {}

  public List<Route> routes() {
    return List.of(
        doors.page("/console/overview", Scope.TASKS_READ, visit -> page(visit, "overview")),
        doors.page("/console/overview/now", Scope.TASKS_READ, visit -> page(visit, "overviewNow")));
  }

  private Response page(Visit visit, String template) throws Exception {
    Duration span =
        switch (visit.query("span")) {
          case "1h" -> Duration.ofHours(1);
          case "7d" -> Duration.ofDays(7);
          default -> Duration.ofDays(1);
        };
    Instant since = Instant.now().minus(span);
    TenantActivity.Reading reading =
        database.tenantActivity().read(visit.tenant(), since, span.dividedBy(SLOTS));
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Overview", "overview"));
    model.put("reading", reading);
    model.put("span", span.equals(Duration.ofDays(1)) ? "24h" : visit.query("span"));
    model.put("completed", slots(reading, TenantActivity.Slot::completed));
    model.put("other", slots(reading, TenantActivity.Slot::other));
    model.put("credits", slots(reading, TenantActivity.Slot::credits));
    model.put("needs", needs(visit, reading));
    return doors.html().page(200, template, model);
  }

  private static List<Long> slots(
      TenantActivity.Reading reading, java.util.function.ToLongFunction<TenantActivity.Slot> what) {
    List<Long> values = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      int at = slot;
      values.add(reading.beats().stream().filter(beat -> beat.slot() == at).mapToLong(what).sum());
    }
    return values;
  }

  private List<Notice> needs(Visit visit, TenantActivity.Reading reading) throws Exception {
    List<Notice> needs = new ArrayList<>(troubles.of(visit));
    if (visit.may(Scope.QUEUES_READ)) {
      database.queues().standing().forEach(queue -> needs.addAll(needsOf(queue)));
    }
    long reviews = reading.live(State.WAITING_REVIEW);
    if (reviews > 0) {
      String text = Words.count(reviews, "result waits", "results wait") + " for a reviewer.";
      needs.add(new Notice("warn", "eye", text, "/console/review", "Review"));
    }
    long dead = reading.ended(State.DEAD_LETTER);
    if (dead > 0) {
      String text = Words.count(dead, "job", "jobs") + " failed too often and gave up.";
      needs.add(new Notice("bad", "tray", text, "/console/dead-letters", "Dead letters"));
    }
    long endangered = reading.live().stream().mapToLong(TenantActivity.Live::endangered).sum();
    if (endangered > 0) {
      String text = Words.count(endangered, "lease ends", "leases end") + " within ten seconds.";
      needs.add(new Notice("warn", "clock", text, "/console/jobs?q=state%3Arunning", "Jobs"));
    }
    long strangers = visit.may(Scope.FLEET_READ) ? strangers() : 0;
    if (strangers > 0) {
      String text = Words.count(strangers, "worker waits", "workers wait") + " for approval.";
      needs.add(new Notice("warn", "fleet", text, "/console/workers", "Workers"));
    }
    return needs;
  }

  private long strangers() {
    return database.workers().list(null, MOST_WORKERS).stream()
        .filter(worker -> worker.status() == WorkerView.Status.PENDING_APPROVAL)
        .count();
  }

  private List<Notice> needsOf(QueueView queue) {
    List<Notice> needs = new ArrayList<>();
    String name = queue.workflow();
    boolean byWorkers =
        offers
            .workflow(name)
            .filter(found -> found.workflow().executor().equals(WORKER))
            .isPresent();
    if (queue.load().depth() > 0
        && byWorkers
        && queue.fleet().busyWorkers() + queue.fleet().idleWorkers() == 0) {
      String jobs = Words.count(queue.load().depth(), "job waits", "jobs wait");
      String text = jobs + " for " + name + ", and no worker serves it.";
      needs.add(new Notice("bad", "fleet", text, "/console/workers", "Workers"));
    }
    if (queue.load().depth() > 0 && queue.paused()) {
      String jobs = Words.count(queue.load().depth(), "job", "jobs");
      String text = name + " is paused with " + jobs + " waiting.";
      needs.add(new Notice("warn", "pause", text, "/console/queues", "Queues"));
    }
    return needs;
  }
}
