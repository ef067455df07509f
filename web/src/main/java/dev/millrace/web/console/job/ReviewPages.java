package dev.millrace.web.console.job;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.files.FileView;
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
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Results that wait for a person: looked at one after the other, by mouse or by keyboard. */
public final class ReviewPages {

  private static final int PAGE = 20;
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
        doors.deed("/console/review/{id}/approve", Scope.REVIEWS_WRITE, this::approve),
        doors.deed("/console/review/{id}/decline", Scope.REVIEWS_WRITE, this::decline));
  }

  private Response list(Visit visit) {
    @Nullable String own = visit.principal().user();
    List<Item> items =
        database
            .jobs()
            .list(
                new Jobs.Filter(
                    visit.tenant(), own, null, List.of(State.WAITING_REVIEW), null, null, PAGE))
            .stream()
            .map(job -> item(visit, job))
            .toList();
    return doors
        .html()
        .page(200, "review", Map.of("page", visit.page("Review", "review"), "items", items));
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
    Reviews.Approval approval =
        whole
            ? new Reviews.Approval(null, true, false)
            : new Reviews.Approval(items, true, !visit.field("rest").equals("later"));
    return decided(visit, reviews.approve(visit.principal(), find(visit), approval), "approved");
  }

  private Response decline(Visit visit) throws InterruptedException {
    Body body =
        Body.of(
            JSON.createObjectNode()
                .put(
                    "reason",
                    visit.field("reason").isEmpty() ? "Declined in review" : visit.field("reason")),
            "reason");
    String reason = body.reason("reason");
    body.requireGood();
    Reviews.Refusal refusal = new Reviews.Refusal(reason, null, true);
    return decided(visit, reviews.decline(visit.principal(), find(visit), refusal), "declined");
  }

  private JobView find(Visit visit) {
    return database
        .jobs()
        .find(visit.principal().visibility(), visit.id())
        .orElseThrow(ProblemException::notFound);
  }

  /** Two reviewers, or a key that is pressed twice: who comes second finds it decided. */
  private static Response decided(Visit visit, Reviews.Outcome outcome, String done) {
    if (outcome instanceof Reviews.Outcome.Decided(_, var result)
        && (result instanceof Report.Result.Denied
            || result instanceof Report.Result.NotNow
            || result instanceof Report.Result.ItemsDecided)) {
      return visit.to("/console/review?done=decided-before");
    }
    Refusals.requireDecided(outcome);
    return visit.to("/console/review?done=" + done);
  }
}
