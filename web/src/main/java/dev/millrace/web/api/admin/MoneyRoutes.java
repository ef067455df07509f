package dev.millrace.web.api.admin;

import dev.millrace.engine.command.TopUp;
import dev.millrace.postgres.jobs.AttemptView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.money.LedgerView;
import dev.millrace.postgres.money.Wallets;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.money.Payments;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Wallets, ledgers, receipts and payments. */
public final class MoneyRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final Payments payments;
  private final Wallets wallets;
  private final Jobs jobs;

  public MoneyRoutes(Authentication authentication, Payments payments, Wallets wallets, Jobs jobs) {
    this.authentication = authentication;
    this.payments = payments;
    this.wallets = wallets;
    this.jobs = jobs;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/wallet", authentication.require(Scope.WALLET_READ, this::wallet)),
        Route.get("/api/wallet/ledger", authentication.require(Scope.WALLET_READ, this::ledger)),
        Route.get("/api/jobs/{id}/receipt", authentication.require(Scope.JOBS_READ, this::receipt)),
        Route.post(
            "/api/admin/wallets/credit", authentication.require(Scope.USERS_WRITE, this::credit)),
        Route.post(
            "/api/admin/wallets/adjust", authentication.require(Scope.USERS_WRITE, this::adjust)));
  }

  private Response wallet(Request request, Principal principal) {
    return shown(principal.tenant(), Params.user(request, principal));
  }

  private Response shown(int tenant, String user) {
    Wallets.Balance balance = wallets.balance(tenant, user);
    return Response.json(
        200,
        JSON.createObjectNode()
            .put("user", user)
            .put("balance", balance.balance())
            .put("reserved", balance.reserved()));
  }

  private Response ledger(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<LedgerView> lines =
        wallets.ledger(
            principal.tenant(),
            Params.user(request, principal),
            Params.numberCursor(request),
            limit);
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    for (LedgerView line : lines) {
      items.add(
          line(line)
              .put("id", line.id())
              .put("job_id", JobJson.text(line.jobId()))
              .put("note", line.note()));
    }
    page.put("next_cursor", lines.size() < limit ? null : Long.toString(lines.getLast().id()));
    return Response.json(200, page);
  }

  private static ObjectNode line(LedgerView line) {
    ObjectNode json = JSON.createObjectNode();
    json.put("at", line.at().toString());
    json.put("type", line.type());
    json.put("amount", line.credits().amount());
    if (line.credits().captured() == 0) {
      json.putNull("captured");
    } else {
      json.put("captured", line.credits().captured());
    }
    return json.put("balance_after", line.credits().balanceAfter());
  }

  private Response receipt(Request request, Principal principal) {
    JobView job =
        jobs.find(principal.visibility(), Params.id(request))
            .orElseThrow(ProblemException::notFound);
    ObjectNode json = JSON.createObjectNode();
    json.put("job_id", job.id().toString());
    json.put("effect", job.request().effect());
    json.put("user", job.request().userId());
    json.put("state", job.state().label());
    json.put("held", job.credits().held());
    json.put("captured", job.credits().captured());
    json.put("refunded", job.credits().refunded());
    json.put("given_back", job.times().overturnedAt() == null ? 0 : job.credits().captured());
    json.set("price", JobJson.price(job));
    json.put("delivered", JobJson.delivered(job));
    json.set("usage", usage(job));
    var lines = json.putArray("lines");
    for (LedgerView line : wallets.linesOfJob(job.request().tenantId(), job.id())) {
      lines.add(line(line).put("funding_seq", line.fundingSeq()));
    }
    double seconds = 0;
    @Nullable String reference = null;
    var attempts = json.putArray("attempts");
    for (AttemptView attempt : jobs.attempts(job.request().tenantId(), job.id())) {
      @Nullable Double took = seconds(attempt);
      seconds += took == null ? 0 : took;
      reference = attempt.reference() == null ? reference : redacted(attempt.reference());
      attempts.add(attempt(attempt, took, principal.may(Scope.FLEET_READ)));
    }
    json.put("provider_reference", reference);
    json.put("seconds", seconds);
    return Response.json(200, json);
  }

  /** What the service counted, such as seconds or tokens; empty if it counted nothing. */
  private static JsonNode usage(JobView job) {
    JsonNode usage = JobJson.object(job.report().summary()).path("usage");
    return usage.isObject() ? usage : JSON.createObjectNode();
  }

  /** Enough to find it at the service by, and too little to ask for it with. */
  private static String redacted(String reference) {
    return reference.substring(0, Math.min(reference.length() / 2, 6)) + "…";
  }

  /**
   * What one attempt took.
   *
   * @param fleet whether who asks may know the names of machines
   */
  private static ObjectNode attempt(AttemptView attempt, @Nullable Double seconds, boolean fleet) {
    return JSON.createObjectNode()
        .put("number", attempt.number())
        .put("worker", fleet ? attempt.worker() : null)
        .put("provider", attempt.provider())
        .put("started_at", attempt.startedAt().toString())
        .put("ended_at", JobJson.text(attempt.endedAt()))
        .put("outcome", attempt.outcome())
        .put("seconds", seconds)
        .put("error", attempt.error());
  }

  private static @Nullable Double seconds(AttemptView attempt) {
    return attempt.endedAt() == null
        ? null
        : Duration.between(attempt.startedAt(), attempt.endedAt()).toMillis() / 1000.0;
  }

  private Response credit(Request request, Principal principal) {
    Payment payment = Payment.credit(request.jsonObject(), request, principal);
    return booked(
        principal,
        payment.user(),
        payments.credit(
            principal, payment.user(), payment.amount(), payment.key(), payment.note()));
  }

  private Response adjust(Request request, Principal principal) {
    Payment payment = Payment.adjustment(request.jsonObject(), request, principal);
    return booked(
        principal,
        payment.user(),
        payments.adjust(
            principal,
            payment.user(),
            payment.amount(),
            payment.key(),
            Objects.requireNonNull(payment.note())));
  }

  private Response booked(Principal principal, String user, TopUp.Result result) {
    boolean now = Refusals.requireBooked(result);
    Response answer = shown(principal.tenant(), user);
    return now ? answer : answer.header("Idempotency-Replayed", "true");
  }
}
