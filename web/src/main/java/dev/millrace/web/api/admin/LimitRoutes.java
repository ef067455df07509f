package dev.millrace.web.api.admin;

import dev.millrace.postgres.money.WalletLimits;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.money.UserLimits;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How much one user may do, where it isn't what is usual. */
public final class LimitRoutes {

  private static final String PATH = "/api/admin/wallets/limits";
  private static final int MOST_ACTIVE = 1_000_000;
  private static final int MOST_DAILY = 1_000_000_000;

  /** An exbibyte: sums of such limits are still numbers. */
  static final long MOST_BYTES = 1L << 60;

  private final Authentication authentication;
  private final UserLimits limits;

  public LimitRoutes(Authentication authentication, UserLimits limits) {
    this.authentication = authentication;
    this.limits = limits;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, authentication.require(Scope.USERS_READ, this::show)),
        Route.put(PATH, authentication.require(Scope.USERS_WRITE, this::set)));
  }

  private Response show(Request request, Principal principal) {
    String user = Params.user(request, principal);
    return Response.json(200, json(user, limits.find(principal, user)));
  }

  private Response set(Request request, Principal principal) {
    Body body = Body.of(request, "user", "active_jobs", "daily_jobs", "storage_bytes");
    String user = body.user("user");
    @Nullable Integer active = body.countOrNull("active_jobs", MOST_ACTIVE);
    @Nullable Integer daily = body.countOrNull("daily_jobs", MOST_DAILY);
    @Nullable Long storage = body.numberOrNull("storage_bytes", 0, MOST_BYTES);
    body.requireGood();
    UserLimits.Limits wanted = new UserLimits.Limits(active, daily, storage);
    return Response.json(200, json(user, limits.set(principal, user, wanted)));
  }

  private static ObjectNode json(String user, WalletLimits.Standing standing) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("user", user)
        .put("active_jobs", standing.activeJobs())
        .put("daily_jobs", standing.dailyJobs())
        .put("storage_bytes", standing.storageBytes())
        .put("active_now", standing.activeNow())
        .put("today", standing.today());
  }
}
