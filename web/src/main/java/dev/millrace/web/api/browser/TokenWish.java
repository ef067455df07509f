package dev.millrace.web.api.browser;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.TokenActions;
import dev.millrace.web.api.admin.KeyWish;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a user's token is to be. */
final class TokenWish {

  private static final long USUAL_MINUTES = 15;
  private static final long MOST_MINUTES = Duration.ofDays(1).toMinutes();
  private static final int MOST_JOBS = 1_000_000;

  private TokenWish() {}

  static TokenActions.Wish read(ObjectNode fields, Principal by) {
    Body body = Body.of(fields, "user", "workspace", "effects", "scopes", "jobs", "minutes");
    String user = by.user() == null ? body.user("user") : named(body, by);
    @Nullable String workspace = body.textOrNull("workspace");
    @Nullable Set<String> effects = KeyWish.texts(body, "effects");
    @Nullable Set<Scope> scopes = scopes(body);
    @Nullable Integer jobs =
        body.raw("jobs") == null ? null : Math.toIntExact(body.number("jobs", 1, MOST_JOBS));
    long minutes =
        body.raw("minutes") == null ? USUAL_MINUTES : body.number("minutes", 1, MOST_MINUTES);
    body.requireGood();
    return new TokenActions.Wish(
        user, workspace, effects, scopes, jobs, Duration.ofMinutes(minutes));
  }

  /** A key of one user need not name them, and can't name another. */
  private static String named(Body body, Principal by) {
    @Nullable String user = body.userOrNull("user");
    body.requireGood();
    return Params.user(by, user, "/user");
  }

  private static @Nullable Set<Scope> scopes(Body body) {
    @Nullable Set<String> labels = KeyWish.texts(body, "scopes");
    if (labels == null) {
      return null;
    }
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String label : labels) {
      Optional<Scope> scope = Scope.ofLabel(label).filter(TokenActions.SAFE::contains);
      if (scope.isPresent()) {
        scopes.add(scope.get());
      } else {
        body.wrong(
            "scopes",
            "may name effects:read, jobs:read, jobs:write, files:read, files:write and"
                + " wallet:read");
      }
    }
    return scopes;
  }
}
