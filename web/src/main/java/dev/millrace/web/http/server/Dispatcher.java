package dev.millrace.web.http.server;

import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.CrossOrigin;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.RequestBody;
import dev.millrace.web.http.RequestHead;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.Router;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a request into an answer, whatever happens. The one place where a failure is logged. */
final class Dispatcher {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  private final Router router;
  private final CrossOrigin crossOrigin;

  Dispatcher(Router router, CrossOrigin crossOrigin) {
    this.router = router;
    this.crossOrigin = crossOrigin;
  }

  Response dispatch(RequestHead head, Function<Route, RequestBody> body) {
    return crossOrigin.on(head, answer(head, body));
  }

  private Response answer(RequestHead head, Function<Route, RequestBody> body) {
    String where = head.method();
    try {
      Router.Match match = router.match(head.method(), head.rawPath());
      where = match.route().method() + " " + match.route().template();
      Request request = new Request(head, match.parameters(), body.apply(match.route()));
      return match.route().handler().handle(request);
    } catch (ProblemException e) {
      return e.response();
    } catch (ClientGoneException e) {
      throw e;
    } catch (InterruptedException e) {
      // Only a shutdown whose grace is over interrupts a handler.
      Thread.currentThread().interrupt();
      return Response.problem(Problem.of(503, "overloaded", "The server is shutting down."))
          .header("Retry-After", "5");
    } catch (Throwable e) {
      return incident(where, e);
    }
  }

  /** Logs the cause under a random number and tells the client only the number. */
  static Response incident(String where, Throwable cause) {
    String incident = UUID.randomUUID().toString();
    log.error("Incident {} in {}", incident, where, cause);
    String detail = "Something went wrong on our side. Incident " + incident + ".";
    return Response.problem(Problem.of(500, "internal", detail));
  }
}
