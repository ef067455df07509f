package dev.millrace.web.api.request;

import dev.millrace.engine.lane.LaneFull;
import dev.millrace.engine.port.Store;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.web.http.Filter;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.SseSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client is told when the engine or one of the stores can't answer now. */
public final class DatabaseProblems {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseProblems.class);

  private DatabaseProblems() {}

  public static Filter asProblems() {
    return (request, next) -> {
      try {
        return next.handle(request);
      } catch (Exception e) {
        throw asProblem(e).map(Exception.class::cast).orElse(e);
      }
    };
  }

  /** The refusal, if this trouble will pass by itself; empty for anything else. */
  public static Optional<ProblemException> asProblem(Exception trouble) {
    return switch (trouble) {
      case LaneFull _ ->
          later(
              "1",
              new ProblemException(503, "overloaded", "Too much is waiting. Try again shortly."));
      case Store.Unavailable e -> {
        LOG.warn("The database can't be used now", e);
        yield later(
            "1",
            new ProblemException(
                503, "unavailable", "The database can't be used now; nothing changed. Try again."));
      }
      case Store.OutcomeUnknown e -> {
        LOG.warn("A request may or may not have been stored", e);
        yield later(
            "1",
            new ProblemException(
                503,
                "outcome_unknown",
                "The database went away while saving. Send the same request with the same"
                    + " idempotency key again: it counts once."));
      }
      case ObjectStoreException e -> {
        LOG.warn("Files can't be kept now", e);
        yield later(
            "5",
            new ProblemException(
                503, "files_unavailable", "Files can't be kept or read now. Try again shortly."));
      }
      default -> Optional.empty();
    };
  }

  /**
   * A stream that such trouble ends like any other: its client connects again, and finds out then
   * whether it has passed.
   */
  public static Response stream(SseSource source) {
    return Response.sse(sink -> {
      try {
        source.run(sink);
      } catch (Exception e) {
        if (asProblem(e).isEmpty()) {
          throw e;
        }
      }
    });
  }

  private static Optional<ProblemException> later(String seconds, ProblemException problem) {
    return Optional.of(problem.header("Retry-After", seconds));
  }
}
