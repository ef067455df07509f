package dev.millrace.server.api;

import dev.millrace.engine.lane.LaneFull;
import dev.millrace.engine.port.Store;
import dev.millrace.server.http.Filter;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.objects.ObjectStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client is told when the engine can't answer now. */
final class Troubles {

  private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

  private Troubles() {}

  static Filter asProblems() {
    return (request, next) -> {
      try {
        return next.handle(request);
      } catch (LaneFull e) {
        throw new ProblemException(503, "overloaded", "Too much is waiting. Try again shortly.")
            .header("Retry-After", "1");
      } catch (Store.Unavailable e) {
        LOG.warn("The database can't be reached", e);
        throw new ProblemException(
                503, "unavailable", "The database can't be reached; nothing changed. Try again.")
            .header("Retry-After", "1");
      } catch (ObjectStoreException e) {
        LOG.warn("Files can't be kept now", e);
        throw new ProblemException(
                503, "files_unavailable", "Files can't be kept or read now. Try again shortly.")
            .header("Retry-After", "5");
      } catch (Store.OutcomeUnknown e) {
        LOG.warn("A request may or may not have been stored", e);
        throw new ProblemException(
                503,
                "outcome_unknown",
                "The database went away while saving. Send the same request with the same"
                    + " idempotency key again: it counts once.")
            .header("Retry-After", "1");
      }
    };
  }
}
