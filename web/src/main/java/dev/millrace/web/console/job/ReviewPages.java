package dev.millrace.web.console.job;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.FirstId;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Scope;
import dev.millrace.service.review.Reviews;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.ShownOutput;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Results that wait for a person: looked at one after the other, by mouse or by keyboard. */
public final class ReviewPages {

  private static final int PAGE = 20;
  private static final int MOST_NEWS = 100;
  private static final int MOST_COUNTED = 1_000;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final PageAccess doors;
  private final Database database;
  private final Reviews reviews;

  public ReviewPages(PageAccess doors, Database database, Reviews reviews) {
    this.doors = doors;
    this.database = database;
    this.reviews = reviews;
  }

  /**
   * A job with what it made.
   *
   * @param prompt the words that it was made from, which a reviewer must know
   */
  public record Item(JobView job, String prompt, List<ShownOutput> made) {
    public Item {
      made = List.copyOf(made);
    }

    /** What nobody has decided about yet. */
    public List<ShownOutput> open() {
      return made.stream().filter(shown -> shown.file().review().approved() == null).toList();
    }
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/review", Scope.REVIEWS_WRITE, this::list),
        doors.page("/console/review/now", Scope.REVIEWS_WRITE, this::now),
        doors.deed("/console/review/{id}/approve", Scope.REVIEWS_WRITE, this::approve),
        doors.deed("/console/review/{id}/decline", Scope.REVIEWS_WRITE, this::decline));
  }

  /**
   * A page of what waits, newest first.
   *
   * @param before where the page begins; empty for the newest
   * @param next where the one after it begins; empty if there is none
   * @param current the one that is looked at, as its place in the list
   */
  public record Listing(
      List<Item> items, Waiting waiting, String before, String next, int current) {
    public Listing {
      items = List.copyOf(items);
    }

    /** Where the page asks what has become of it. */
    public String now() {
      String ids =
          String.join(",", items.stream().map(item -> item.job().id().toString()).toList());
      return "/console/review/now?before=" + before + "&shown=" + ids;
    }
  }

  /**
   * How many wait.
   *
   * @param more whether there are more than were counted
   * @param news how many came after those on the page
   */
  public record Waiting(int count, boolean more, int news) {}

  private Waiting waiting(Visit visit, int news) {
    int count =
        database
            .jobs()
            .countLive(
                visit.tenant(), visit.principal().user(), State.WAITING_REVIEW, MOST_COUNTED + 1);
    return new Waiting(Math.min(count, MOST_COUNTED), count > MOST_COUNTED, news);
  }

  private Response list(Visit visit) {
    String before = visit.query("before");
    List<JobView> found = find(visit, before, null, PAGE + 1);
    if (found.isEmpty() && !before.isEmpty()) {
      before = ""; // All of that page is decided; what waits elsewhere is next.
      found = find(visit, before, null, PAGE + 1);
    }
    List<Item> items = found.stream().limit(PAGE).map(job -> item(visit, job)).toList();
    String next = found.size() > PAGE ? items.getLast().job().id().toString() : "";
    int current = items.isEmpty() ? 0 : after(items, visit.query("decided"));
    Listing listing = new Listing(items, waiting(visit, 0), before, next, current);
    return doors
        .html()
        .page(200, "review", Map.of("page", visit.page("Review", "review"), "listing", listing));
  }

  /** The place of the one that comes after the one that was decided. */
  private static int after(List<Item> items, String decided) {
    for (int i = 0; i < items.size() && !decided.isEmpty(); i++) {
      if (items.get(i).job().id().toString().compareTo(decided) < 0) {
        return i;
      }
    }
    return decided.isEmpty() ? 0 : items.size() - 1;
  }

  private List<JobView> find(Visit visit, String before, @Nullable UUID floor, int most) {
    @Nullable UUID from = before.isEmpty() ? null : Visit.id(before);
    return database
        .jobs()
        .list(
            new Jobs.Filter(
                visit.tenant(),
                visit.principal().user(),
                null,
                List.of(State.WAITING_REVIEW),
                null,
                from,
                most),
            floor);
  }

  /** How many wait now, and which of those on the page don't any more. */
  private Response now(Visit visit) {
    String before = visit.query("before");
    List<String> shown =
        visit.query("shown").isEmpty() ? List.of() : List.of(visit.query("shown").split(",", PAGE));
    @Nullable UUID floor = shown.isEmpty() ? null : Visit.id(shown.getLast());
    int most = PAGE + MOST_NEWS;
    List<String> waiting =
        find(visit, before, floor, most).stream().map(job -> job.id().toString()).toList();
    // Those on the page that the walk didn't come to may wait or not.
    String end = waiting.size() < most ? "" : waiting.getLast();
    List<String> gone =
        shown.stream().filter(id -> id.compareTo(end) > 0 && !waiting.contains(id)).toList();
    long news =
        before.isEmpty()
            ? waiting.stream()
                .filter(id -> shown.isEmpty() || id.compareTo(shown.getFirst()) > 0)
                .count()
            : 0;
    Listing listing = new Listing(List.of(), waiting(visit, (int) news), before, "", 0);
    return doors
        .html()
        .page(
            200,
            "reviewNow",
            Map.of(
                "page",
                visit.page("Review", "review"),
                "listing",
                listing,
                "poll",
                "/console/review/now?before=" + before + "&shown=" + String.join(",", shown),
                "gone",
                gone));
  }

  private Item item(Visit visit, JobView job) {
    List<FileView> made = database.files().madeBy(job.request().tenantId(), job.id());
    @Nullable String input =
        database
            .jobs()
            .find(Visibility.of(job.request().tenantId()), job.id())
            .map(each -> each.request().input())
            .orElse(null);
    return new Item(
        job,
        input == null ? "" : prompt(JSON.readTree(input)),
        made.stream().map(file -> ShownOutput.of(file, job, visit.base())).toList());
  }

  private static String prompt(JsonNode input) {
    return input.path("prompt").isString() ? input.path("prompt").stringValue() : input.toString();
  }

  private Response approve(Visit visit) throws InterruptedException {
    boolean whole = visit.field("whole").equals("yes");
    Set<UUID> items = new LinkedHashSet<>();
    visit.form().getOrDefault("item", List.of()).forEach(item -> items.add(Visit.id(item)));
    if (!whole && items.isEmpty()) {
      return back(visit, "nothing-picked", false);
    }
    Reviews.Approval approval =
        whole
            ? new Reviews.Approval(null, true, false, null)
            : new Reviews.Approval(
                items, true, !visit.field("rest").equals("later"), reason(visit, null));
    Optional<JobView> job = find(visit);
    return job.isEmpty()
        ? back(visit, "decided-before", true)
        : decided(visit, reviews.approve(visit.principal(), job.get(), approval), "approved");
  }

  private Response decline(Visit visit) throws InterruptedException {
    String reason = Objects.requireNonNull(reason(visit, "Declined in review"));
    Optional<JobView> job = find(visit);
    return job.isEmpty()
        ? back(visit, "decided-before", true)
        : decided(
            visit,
            reviews.decline(visit.principal(), job.get(), new Reviews.Refusal(reason, null, true)),
            "declined");
  }

  private static @Nullable String reason(Visit visit, @Nullable String usual) {
    String text = visit.field("reason");
    if (text.isEmpty()) {
      return usual;
    }
    Body body = Body.of(JSON.createObjectNode().put("reason", text), "reason");
    String reason = body.reason("reason");
    body.requireGood();
    return reason;
  }

  /** Nothing if somebody has deleted it. */
  private Optional<JobView> find(Visit visit) {
    return database.jobs().find(visit.principal().visibility(), visit.id());
  }

  /** Two reviewers, or a key that is pressed twice: who comes second finds it decided. */
  private static Response decided(Visit visit, Reviews.Outcome outcome, String done) {
    if (outcome instanceof Reviews.Outcome.Decided(var step, var result)) {
      if (result instanceof Report.Result.Denied
          || result instanceof Report.Result.NotNow
          || result instanceof Report.Result.Missing
          || result instanceof Report.Result.NoSuchItems
          || result instanceof Report.Result.ItemsDecided) {
        return back(visit, "decided-before", true);
      }
      if (result instanceof Report.Result.Done && step == Reviews.Step.REVIEWED) {
        return back(visit, "decided-some", false);
      }
    }
    Refusals.requireDecided(outcome);
    return back(visit, done, true);
  }

  /**
   * To the same page of what waits.
   *
   * @param further whether the next one is looked at, rather than this one again
   */
  private static Response back(Visit visit, String done, boolean further) {
    String before = visit.field("before");
    UUID place = further ? visit.id() : FirstId.after(visit.id());
    return visit.to(
        "/console/review?done="
            + done
            + (before.isEmpty() ? "" : "&before=" + Visit.id(before))
            + "&decided="
            + place);
  }
}
