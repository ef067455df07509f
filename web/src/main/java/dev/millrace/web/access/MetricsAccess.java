package dev.millrace.web.access;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.service.access.Scope;
import dev.millrace.service.access.Secret;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.RouteHandler;
import org.jspecify.annotations.Nullable;

/**
 * Who may read the metrics. They name workflows and tell how much is going on, so where strangers
 * can ask they are not for everybody.
 *
 * @param token what a scraper may show instead of a key; null for keys alone
 */
public record MetricsAccess(Rule rule, @Nullable Secret token) {

  /** How somebody gets in. */
  public enum Rule {
    OPEN,
    KEY,
    OFF
  }

  /** The metrics for those who may read them. */
  public RouteHandler guard(Authentication authentication, RouteHandler metrics) {
    return switch (rule) {
      case OPEN -> metrics;
      case OFF ->
          _ -> {
            throw ProblemException.notFound();
          };
      case KEY -> {
        RouteHandler withKey =
            authentication.require(Scope.METRICS_READ, (request, _) -> metrics.handle(request));
        yield request -> showsToken(request) ? metrics.handle(request) : withKey.handle(request);
      }
    };
  }

  private boolean showsToken(Request request) {
    return token != null
        && Authentication.bearer(request)
            .filter(shown -> ConstantTime.equal(shown, token.reveal()))
            .isPresent();
  }
}
