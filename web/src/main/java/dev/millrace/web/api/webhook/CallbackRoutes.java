package dev.millrace.web.api.webhook;

import dev.millrace.service.outside.CallbackInbox;
import dev.millrace.service.outside.CallbackInbox.Receipt;
import dev.millrace.spi.provider.Verification;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where outside services call back. They have no key: their signature, on exactly the bytes that
 * came in, is all that counts. Nothing is read of a body that nobody signed.
 */
public final class CallbackRoutes {

  private static final long MOST_BYTES = 8L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CallbackInbox inbox;

  public CallbackRoutes(CallbackInbox inbox) {
    this.inbox = inbox;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/callbacks/{provider}/{intent}", this::receive)
            .accepting(MOST_BYTES, PATIENCE));
  }

  private Response receive(Request request) throws InterruptedException {
    Receipt receipt =
        inbox.receive(
            request.pathParameter("provider"),
            request.pathParameter("intent"),
            request.headers(),
            request.bytes());
    return switch (receipt) {
      case Receipt.NoSuchService() ->
          throw new ProblemException(404, "not_found", "There is no such provider here.");
      case Receipt.Refused(var reason, String message) -> throw refused(reason, message);
      case Receipt.Taken(boolean again) -> answer(again ? "known" : "stored");
      case Receipt.Noted() -> answer("noted");
    };
  }

  private static Response answer(String what) {
    return Response.json(200, JsonMapper.shared().createObjectNode().put("callback", what));
  }

  private static ProblemException refused(Verification.Reason reason, String message) {
    return switch (reason) {
      case UNSIGNED, WRONG_SIGNATURE, STALE ->
          new ProblemException(
              401, "callback_refused", "The call is not believed: " + message + ".");
      case UNREADABLE ->
          new ProblemException(
              400, "bad_request", "The call can't be understood: " + message + ".");
      case NO_KEYS ->
          new ProblemException(
                  503, "callback_unchecked", "The signature can't be checked now: " + message + ".")
              .header("Retry-After", "30");
    };
  }
}
