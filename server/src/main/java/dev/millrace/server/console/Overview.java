package dev.millrace.server.console;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.records.Pulse;
import dev.millrace.postgres.records.QueueView;
import dev.millrace.server.auth.Role;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.jobs.Offers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How everything stands, and what needs a person. */
final class Overview {

  private static final int SLOTS = 48;
  private static final String WORKER = "worker";

  private final Doors doors;
  private final Database database;
  private final Offers offers;

  Overview(Doors doors, Database database, Offers offers) {
    this.doors = doors;
    this.database = database;
    this.offers = offers;
  }

  /**
   * Something that a person should look at.
   *
   * @param tone bad or warn
   * @param to where it is dealt with
   */
  record Need(String tone, String icon, String text, String to, String deed) {}

  List<Route> routes() {
    return List.of(
        doors.page("/console/overview", Role.ADMIN, visit -> page(visit, "overview")),
        doors.page("/console/overview/now", Role.ADMIN, visit -> page(visit, "overviewNow")));
  }

  private Response page(Visit visit, String template) {
    Duration span =
        switch (visit.query("span")) {
          case "1h" -> Duration.ofHours(1);
          case "7d" -> Duration.ofDays(7);
          default -> Duration.ofDays(1);
        };
    Instant since = Instant.now().minus(span);
    Pulse.Reading reading = database.pulse().read(visit.tenant(), since, span.dividedBy(SLOTS));
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Overview", "overview"));
    model.put("reading", reading);
    model.put("span", span.equals(Duration.ofDays(1)) ? "24h" : visit.query("span"));
    model.put("completed", slots(reading, Pulse.Beat::completed));
    model.put("other", slots(reading, Pulse.Beat::other));
    model.put("credits", slots(reading, Pulse.Beat::credits));
    model.put("needs", needs(reading));
    return doors.html().page(200, template, model);
  }

  private static List<Long> slots(
      Pulse.Reading reading, java.util.function.ToLongFunction<Pulse.Beat> what) {
    List<Long> values = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      int at = slot;
      values.add(reading.beats().stream().filter(beat -> beat.slot() == at).mapToLong(what).sum());
    }
    return values;
  }

  private List<Need> needs(Pulse.Reading reading) {
    List<Need> needs = new ArrayList<>();
    for (QueueView queue : database.queues().standing()) {
      boolean byWorkers =
          offers
              .workflow(queue.workflow())
              .filter(found -> found.workflow().executor().equals(WORKER))
              .isPresent();
      if (queue.depth() > 0 && byWorkers && queue.busyWorkers() + queue.idleWorkers() == 0) {
        needs.add(
            new Need(
                "bad",
                "fleet",
                Words.count(queue.depth(), "job waits", "jobs wait")
                    + " for "
                    + queue.workflow()
                    + ", and no worker serves it.",
                "/console/workers",
                "Workers"));
      }
      if (queue.paused() && queue.depth() > 0) {
        needs.add(
            new Need(
                "warn",
                "pause",
                queue.workflow()
                    + " is paused with "
                    + Words.count(queue.depth(), "job", "jobs")
                    + " waiting.",
                "/console/queues",
                "Queues"));
      }
    }
    add(
        needs,
        reading.live("waiting_review"),
        "warn",
        "eye",
        "result waits",
        "results wait",
        " for a reviewer.",
        "/console/review",
        "Review");
    add(
        needs,
        reading.ended("dead_letter"),
        "bad",
        "tray",
        "job used up its tries",
        "jobs used up their tries",
        ".",
        "/console/dead-letters",
        "Dead letters");
    long endangered = reading.live().stream().mapToLong(Pulse.Live::endangered).sum();
    add(
        needs,
        endangered,
        "warn",
        "clock",
        "lease ends",
        "leases end",
        " within ten seconds.",
        "/console/jobs?q=state%3Arunning",
        "Running jobs");
    long pending =
        database.workers().list(null, 500).stream()
            .filter(worker -> worker.status().equals("pending_approval"))
            .count();
    add(
        needs,
        pending,
        "warn",
        "fleet",
        "worker waits",
        "workers wait",
        " for approval.",
        "/console/workers",
        "Workers");
    return needs;
  }

  private static void add(
      List<Need> needs,
      long count,
      String tone,
      String icon,
      String one,
      String many,
      String rest,
      String to,
      String deed) {
    if (count > 0) {
      needs.add(new Need(tone, icon, Words.count(count, one, many) + rest, to, deed));
    }
  }
}
