package dev.millrace.web.console.studio;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.money.Wallets;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.Services;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.service.files.StorageQuota;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.OfferedEffects;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.observe.Paces;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.console.frame.InputVisibility;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.ShownOutput;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Where a person makes something: the effects, a form for each, and what was made. */
public final class Studio {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int GALLERY = 48;
  private static final String INPUT = "/input/";

  private final PageAccess doors;
  private final Offers offers;
  private final OfferedEffects effects;
  private final SubmitParts submission;
  private final Jobs jobs;
  private final Files files;
  private final Wallets wallets;
  private final StorageQuota storage;
  private final PublicUrl publicUrl;

  public Studio(PageAccess doors, Services services, SubmitParts submission, PublicUrl publicUrl) {
    this.doors = doors;
    this.offers = services.offers();
    this.effects = services.jobs().effects();
    this.submission = submission;
    this.jobs = services.database().jobs();
    this.files = services.database().files();
    this.wallets = services.database().wallets();
    this.storage = services.files().quota();
    this.publicUrl = publicUrl;
  }

  /** Asks for a job, and says what came of it. */
  public record SubmitParts(Submits submits, SubmitAnswers answers) {}

  /** An effect as its card shows it. */
  public record Card(
      String slug, String title, String description, String price, String time, boolean paused) {}

  /**
   * What a job with the input so far would cost.
   *
   * @param hold negative while the input isn't complete
   */
  public record Quote(String price, long hold, long balance, Snippets snippets) {
    public boolean enough() {
      return hold <= balance;
    }
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/studio", Scope.EFFECTS_READ, this::effects),
        doors.page("/console/studio/{slug*}", Scope.EFFECTS_READ, this::form),
        doors.deed("/console/studio/{slug*}", Scope.JOBS_WRITE, this::submit),
        doors.deed("/console/quote/{slug*}", Scope.EFFECTS_READ, this::quote),
        doors.page("/console/library", Scope.FILES_READ, this::library));
  }

  private Response effects(Visit visit) {
    List<Card> cards =
        effects.list().stream()
            .filter(
                offered -> visit.principal().bounds().allowEffect(offered.offer().effect().slug()))
            .map(Studio::card)
            .toList();
    return doors
        .html()
        .page(
            200,
            "studio",
            Map.of(
                "page",
                visit.page("Studio", "studio"),
                "cards",
                cards,
                "room",
                StorageRoom.of(storage, visit)));
  }

  private static Card card(OfferedEffects.Offered offered) {
    Effect effect = offered.offer().effect();
    Paces.@Nullable Pace pace = offered.pace();
    return new Card(
        effect.slug(),
        effect.title(),
        effect.description(),
        price(effect),
        pace == null ? "" : "about " + Words.span(Math.max(1, pace.p50())),
        offered.paused());
  }

  private static String price(Effect effect) {
    String per = effect.price().per().label();
    return Words.credits(effect.creditsCost()) + (per.equals("job") ? "" : " per " + per);
  }

  private Offer offer(Visit visit) {
    return offers
        .find(visit.request().pathParameter("slug"))
        .filter(offer -> offer.effect().active())
        .orElseThrow(ProblemException::notFound);
  }

  private Response form(Visit visit) throws Exception {
    Offer offer = offer(visit);
    ObjectNode start = JSON.createObjectNode();
    String from = visit.query("from");
    if (!from.isEmpty()) {
      @Nullable String input =
          jobs.find(visit.principal().visibility(), Visit.id(from))
              .filter(job -> InputVisibility.mayRead(visit, job))
              .map(job -> job.request().input())
              .orElse(null);
      start = input == null ? start : (ObjectNode) JSON.readTree(input);
    }
    return form(visit, offer, 200, start, Map.of(), null);
  }

  private Response form(
      Visit visit,
      Offer offer,
      int status,
      ObjectNode values,
      Map<String, String> wrong,
      @Nullable Problem problem)
      throws Exception {
    Effect effect = offer.effect();
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page(effect.title(), "studio"));
    model.put("card", card(effects.find(effect.slug()).orElseThrow(ProblemException::notFound)));
    model.put("fields", SchemaForm.fields(effect.inputSchema(), values, wrong));
    model.put("quote", quote(visit, offer, values));
    model.put("room", StorageRoom.of(storage, visit));
    model.put("key", UuidCreator.getTimeOrderedEpoch().toString());
    model.put("complaint", problem == null ? "" : problem.detail());
    return doors.html().page(status, "make", model);
  }

  private Quote quote(Visit visit, Offer offer, ObjectNode values) {
    Effect effect = offer.effect();
    ObjectNode known = JSON.createObjectNode();
    for (var property : effect.inputSchema().path("properties").properties()) {
      JsonNode value = values.path(property.getKey());
      String usual = property.getValue().path("default").toString();
      if (!value.isMissingNode() && !value.toString().equals(usual)) {
        known.set(property.getKey(), value);
      }
    }
    long hold =
        effect.resolve(known) instanceof Resolution.Resolved(ObjectNode input)
            ? effect.holdFor(input)
            : -1;
    return new Quote(
        price(effect),
        hold,
        wallets.balance(visit.tenant(), visit.user()).balance(),
        Snippets.of(publicUrl.of(visit.request()), effect.slug(), known));
  }

  private Response quote(Visit visit) {
    Offer offer = offer(visit);
    ObjectNode input = SchemaForm.input(offer.effect().inputSchema(), visit.form());
    return doors
        .html()
        .page(
            200, "quote", Map.of("page", visit.page("", ""), "quote", quote(visit, offer, input)));
  }

  private Response submit(Visit visit) throws Exception {
    Offer offer = offer(visit);
    ObjectNode input = SchemaForm.input(offer.effect().inputSchema(), visit.form());
    ObjectNode body = JSON.createObjectNode();
    body.put("effect", offer.effect().slug());
    body.set("input", input);
    String key = visit.field("key");
    if (!key.isEmpty()) {
      body.put("idempotency_key", key);
    }
    try {
      JobSubmission.Outcome outcome =
          submission.submits().submit(body, visit.request(), visit.principal());
      return visit.to("/console/jobs/" + submission.answers().require(outcome).id());
    } catch (ProblemException e) {
      Map<String, String> wrong = wrong(e.problem());
      return form(visit, offer, e.problem().status(), input, wrong, e.problem());
    }
  }

  private static Map<String, String> wrong(Problem problem) {
    Map<String, String> wrong = new HashMap<>();
    if (problem.extra().get("errors") instanceof List<?> errors) {
      for (Object error : errors) {
        if (error instanceof Problem.Violation(String path, String message)
            && path.startsWith(INPUT)) {
          wrong.put(path.substring(INPUT.length()).split("/", -1)[0], message);
        }
      }
    }
    return wrong;
  }

  private Response library(Visit visit) {
    String before = visit.query("before");
    List<ShownOutput> shown =
        files
            .library(
                new Visibility(
                    visit.tenant(), visit.user(), visit.principal().bounds().workspace()),
                visit.query("kind").equals("input") ? "input" : "output",
                before.isEmpty() ? null : Visit.id(before),
                GALLERY)
            .stream()
            .map(file -> ShownOutput.of(file, visit.base()))
            .toList();
    String next = shown.size() < GALLERY ? "" : shown.getLast().file().id().toString();
    return doors
        .html()
        .page(
            200,
            "library",
            Map.of(
                "page",
                visit.page("Library", "library"),
                "shown",
                shown,
                "uploads",
                visit.query("kind").equals("input"),
                "next",
                next,
                "room",
                StorageRoom.of(storage, visit)));
  }
}
