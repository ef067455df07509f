package dev.millrace.web.api.fleet;

import dev.millrace.service.fleet.Enrolment;
import dev.millrace.service.fleet.WorkerTokens;
import dev.millrace.service.fleet.WorkerTokens.Admitted;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.service.fleet.WorkerTokens.Refusal;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import dev.millrace.web.limits.RequestRates;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/** Lets workers in by their tokens, counts their calls, and slows down strangers. */
public final class WorkerAccess {

  private static final String SCHEME = "bearer ";
  private static final String SECRET = "X-Fleet-Secret";

  private final WorkerTokens tokens;
  private final RequestRates rates;
  private final MeterRegistry meters;

  public WorkerAccess(WorkerTokens tokens, RequestRates rates, MeterRegistry meters) {
    this.tokens = tokens;
    this.rates = rates;
    this.meters = meters;
  }

  /** A handler that knows which worker is calling. */
  @FunctionalInterface
  interface Called {
    Response handle(Request request, Caller caller) throws Exception;
  }

  /** A call of the protocol that only a worker can make. */
  Route known(String call, Called handler) {
    return open(call, request -> handler.handle(request, require(request)));
  }

  /**
   * A call of the protocol that anybody can make. Polls and heartbeats have no line in the audit;
   * that they come, and how many, is seen by the counters.
   */
  Route open(String call, RouteHandler handler) {
    return Route.post("/api/worker/" + call, counted(call, handler));
  }

  /** The same call under whatever path, counted as that call. */
  public RouteHandler counted(String call, RouteHandler handler) {
    Counter answered = counter(call, "answered");
    Counter refused = counter(call, "refused");
    return request -> {
      Counter counter = refused;
      try {
        Response response = handler.handle(request);
        counter = answered;
        return response;
      } finally {
        counter.increment();
      }
    };
  }

  private Counter counter(String call, String outcome) {
    return Counter.builder("millrace.worker.calls")
        .description("How often workers called")
        .tag("call", call)
        .tag("outcome", outcome)
        .register(meters);
  }

  /** Who calls; a 401 if it is no worker of ours. */
  public Caller require(Request request) {
    return switch (tokens.admit(bearer(request))) {
      case Admitted(Caller caller) -> caller;
      case Refusal why -> {
        if (why == Refusal.MISSING) {
          countStranger(request);
        }
        throw FleetProblems.token(why);
      }
    };
  }

  /** Refuses who may not join, because he doesn't know the fleet's secret. */
  public void requireSecret(Request request, Enrolment enrolment) {
    switch (enrolment.secret(request.header(SECRET))) {
      case RIGHT -> {}
      case CLOSED -> throw FleetProblems.closed();
      case MISSING -> {
        countStranger(request);
        throw FleetProblems.secretMissing();
      }
      case WRONG -> {
        countStranger(request);
        throw FleetProblems.secretWrong();
      }
    }
  }

  /** Counts somebody who knows no secret; who did so too often is told to wait instead. */
  private void countStranger(Request request) {
    rates.requirePatience(request.remoteAddress());
    rates.countStranger(request.remoteAddress());
  }

  private static Optional<String> bearer(Request request) {
    return request
        .header("authorization")
        .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(header -> header.substring(SCHEME.length()).strip());
  }
}
