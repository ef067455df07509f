package dev.millrace.web.api.admin;

import dev.millrace.engine.command.TopUp;
import dev.millrace.service.access.Principal;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.IdempotencyKey;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Credits for a wallet.
 *
 * @param key the same key books the same payment once
 * @param note what it is for; of an adjustment its reason, which it always has
 */
public record Payment(String user, long amount, String key, @Nullable String note) {

  /**
   * A payment, as a request or a form says it.
   *
   * @param request whose header may have the key
   */
  public static Payment credit(ObjectNode fields, Request request, Principal principal) {
    Body body = Body.of(fields, "user", "amount", "idempotency_key", "note");
    String named = body.user("user");
    long amount = body.number("amount", 1, TopUp.MAX_AMOUNT);
    String key = key(request, body);
    @Nullable String note = body.textOrNull("note");
    body.requireGood();
    return new Payment(Params.user(principal, named, "/user"), amount, key, note);
  }

  static Payment adjustment(ObjectNode fields, Request request, Principal principal) {
    Body body = Body.of(fields, "user", "amount", "idempotency_key", "reason");
    String named = body.user("user");
    long amount = body.number("amount", -TopUp.MAX_AMOUNT, TopUp.MAX_AMOUNT);
    String key = key(request, body);
    String reason = body.reason("reason");
    if (amount == 0) {
      body.wrong("amount", "must not be 0");
    }
    body.requireGood();
    return new Payment(Params.user(principal, named, "/user"), amount, key, reason);
  }

  private static String key(Request request, Body body) {
    @Nullable String key =
        IdempotencyKey.of(request, body.textOrNull("idempotency_key"), body::wrongBeside);
    if (key == null) {
      if (body.raw("idempotency_key") == null) {
        body.wrong("idempotency_key", "is required, here or as the Idempotency-Key header");
      }
      return "";
    }
    if (key.startsWith(TopUp.OVERTURN)) {
      body.wrong("idempotency_key", "must not begin with " + TopUp.OVERTURN);
    }
    return key;
  }
}
