package dev.millrace.web.console.job;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.service.access.Role;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.ShownOutput;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Results that wait for a person: looked at one after the other, by mouse or by keyboard. */
public final class ReviewPages {

  private static final int PAGE = 20;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final PageAccess doors;
  private final Database database;

  public ReviewPages(PageAccess doors, Database database) {
    this.doors = doors;
    this.database = database;
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
      return made.stream().filter(shown -> shown.file().approved() == null).toList();
    }
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/review", Role.REVIEWER, this::list),
        doors.deed("/console/review/{id}/approve", Role.REVIEWER, this::approve),
        doors.deed("/console/review/{id}/decline", Role.REVIEWER, this::decline));
  }

  private Response list(Visit visit) {
    @Nullable String own = visit.principal().onlyUser();
    List<Item> items =
        database
            .jobs()
            .list(
                new Jobs.Filter(
                    visit.tenant(), own, null, List.of("waiting_review"), null, null, PAGE))
            .stream()
            .map(job -> item(visit, job))
            .toList();
    return doors
        .html()
        .page(200, "review", Map.of("page", visit.page("Review", "review"), "items", items));
  }

  private Item item(Visit visit, JobView job) {
    List<FileView> made = database.files().madeBy(job.tenantId(), job.id());
    @Nullable String input =
        database.jobs().find(job.tenantId(), null, job.id()).map(JobView::input).orElse(null);
    return new Item(
        job,
        input == null ? "" : prompt(JSON.readTree(input)),
        made.stream().map(file -> ShownOutput.of(file, job, visit.base())).toList());
  }

  private static String prompt(JsonNode input) {
    return input.path("prompt").isString() ? input.path("prompt").stringValue() : input.toString();
  }

  private Response approve(Visit visit) throws Exception {
    List<String> items = visit.form().getOrDefault("item", List.of());
    ObjectNode body = JSON.createObjectNode();
    if (!visit.field("whole").equals("yes")) {
      items.forEach(body.putArray("items")::add);
      body.put("decline_rest", !visit.field("rest").equals("later"));
    }
    return decide(visit, "approve", body, "approved");
  }

  private Response decline(Visit visit) throws Exception {
    String reason = visit.field("reason");
    ObjectNode body =
        JSON.createObjectNode().put("reason", reason.isEmpty() ? "Declined in review" : reason);
    return decide(visit, "decline", body, "declined");
  }

  /** Two reviewers, or a key that is pressed twice: who comes second finds it decided. */
  private static Response decide(Visit visit, String deed, ObjectNode body, String done)
      throws Exception {
    try {
      visit.post("/api/jobs/" + visit.id() + "/" + deed, body);
      return visit.to("/console/review?done=" + done);
    } catch (ProblemException e) {
      if (e.problem().code().equals("transition_denied")) {
        return visit.to("/console/review?done=decided-before");
      }
      throw e;
    }
  }
}
