package dev.millrace.web.access;

import dev.millrace.engine.port.Store;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.browsers.Browsers;
import dev.millrace.service.browsers.Origins;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.CrossOrigin;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.RequestHead;
import dev.millrace.web.http.Response;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages read answers if the tenant allows their origin (CORS). Who is asking is known once the
 * credential is; a preflight carries none, and an error may come before it, so for these it is
 * enough that any tenant allows the origin. No cookie is ever sent along: the console is not for
 * pages of others.
 */
public final class CrossOrigins implements CrossOrigin {

  /** What pages may read besides the body. */
  private static final String EXPOSED =
      "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed,"
          + " X-Request-Id, WWW-Authenticate, Content-Range, Accept-Ranges, Content-Length,"
          + " Content-Disposition";

  private static final String HEADERS =
      "Authorization, Content-Type, Accept, Idempotency-Key, If-None-Match, If-Match, If-Range,"
          + " Range, Last-Event-ID, Cache-Control, X-Request-Id, Traceparent, Tracestate";

  private static final String MAX_AGE = "600";
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
  private static final String VARY = "Vary";
  private static final String CONSOLE = "/console";
  private static final int UNAVAILABLE = 503;

  /** The tenant of an object is in its key. */
  private static final Pattern OBJECT =
      Pattern.compile(Pattern.quote(UrlSigner.PATH) + "tenants/([a-z0-9][a-z0-9-]{0,62})/.*");

  private final Rules rules;
  private final @Nullable URI publicUrl;

  /** Which origins are allowed. */
  public interface Rules {

    Rules NONE =
        new Rules() {
          @Override
          public boolean allow(String tenant, String origin) {
            return false;
          }

          @Override
          public boolean anyAllows(String origin, boolean ask) {
            return false;
          }
        };

    boolean allow(String tenant, String origin);

    /**
     * Whether any tenant allows it.
     *
     * @param ask false to go by what is remembered, because the database is away
     */
    boolean anyAllows(String origin, boolean ask);
  }

  /**
   * Goes by these rules.
   *
   * @param publicUrl how browsers reach this server, or null if each request tells
   */
  public CrossOrigins(Rules rules, @Nullable URI publicUrl) {
    this.rules = rules;
    this.publicUrl = publicUrl;
  }

  public static CrossOrigins of(Browsers browsers, PublicUrl publicUrl) {
    Origins origins = browsers.origins();
    Rules stored =
        new Rules() {
          @Override
          public boolean allow(String tenant, String origin) {
            return origins.allow(tenant, origin);
          }

          @Override
          public boolean anyAllows(String origin, boolean ask) {
            return ask ? origins.anyAllows(origin) : origins.anyAllowed(origin);
          }
        };
    return new CrossOrigins(stored, publicUrl.configured().orElse(null));
  }

  /**
   * The page that a request comes from.
   *
   * @param origin null if none is told, as programs do
   * @param own whether it is of the server itself
   * @param allowed whether the tenant allows it
   */
  public record Page(@Nullable String origin, boolean own, boolean allowed) {

    private static final Page NONE = new Page(null, false, false);

    /** A token is for the pages of its tenant; whoever finds one elsewhere can't use it there. */
    void requireAllowed(Principal principal) {
      if (origin != null
          && !own
          && !allowed
          && principal.credential().kind() == Credential.Kind.TOKEN) {
        throw new ProblemException(
            403,
            "origin_not_allowed",
            "Pages of this origin may not use tokens of this tenant. An admin can allow it: PUT"
                + " /api/admin/origins.");
      }
    }

    Response on(Response response) {
      if (origin == null) {
        return response;
      }
      return allowed ? readable(response, origin) : response.header(VARY, "Origin");
    }

    ProblemException on(ProblemException problem) {
      if (origin == null) {
        return problem;
      }
      return allowed
          ? problem
              .header(ALLOW_ORIGIN, origin)
              .header("Access-Control-Expose-Headers", EXPOSED)
              .header(VARY, "Origin")
          : problem.header(VARY, "Origin");
    }
  }

  /** The page that asks in the name of a tenant. */
  Page page(Request request, String tenant) {
    @Nullable String origin = request.header("origin").orElse(null);
    if (origin == null) {
      return Page.NONE;
    }
    boolean own = isOwn(origin, request.header("host"));
    return new Page(origin, own, rules.allow(tenant, origin));
  }

  @Override
  public Response on(RequestHead head, Response response) {
    Matcher object = OBJECT.matcher(head.rawPath());
    boolean ofObject = object.matches();
    @Nullable String origin = first(head, "origin").orElse(null);
    if (origin == null || head.rawPath().startsWith(CONSOLE)) {
      return ofObject ? response.header(VARY, "Origin") : response;
    }
    if (response.header(VARY).isPresent()) {
      return response; // Decided with the credential.
    }
    boolean preflight = isPreflight(head, response);
    if (!preflight && !ofObject && response.status() < 400) {
      return response;
    }
    if (!mayRead(origin, ofObject ? object.group(1) : null, response.status() != UNAVAILABLE)) {
      return response.header(VARY, "Origin");
    }
    return preflight ? leave(response, origin) : readable(response, origin);
  }

  private boolean mayRead(String origin, @Nullable String tenant, boolean ask) {
    try {
      return (tenant == null || !ask) ? rules.anyAllows(origin, ask) : rules.allow(tenant, origin);
    } catch (Store.Unavailable _) {
      return rules.anyAllows(origin, false);
    }
  }

  private static boolean isPreflight(RequestHead head, Response response) {
    return head.method().equals("OPTIONS")
        && first(head, "access-control-request-method").isPresent()
        && response.header("Allow").isPresent();
  }

  private static Response leave(Response response, String origin) {
    return response
        .header(ALLOW_ORIGIN, origin)
        .header("Access-Control-Allow-Methods", response.header("Allow").orElseThrow())
        .header("Access-Control-Allow-Headers", HEADERS)
        .header("Access-Control-Max-Age", MAX_AGE)
        .header(VARY, "Origin");
  }

  private static Response readable(Response response, String origin) {
    return response
        .header(ALLOW_ORIGIN, origin)
        .header("Access-Control-Expose-Headers", EXPOSED)
        .header(VARY, "Origin");
  }

  private boolean isOwn(String origin, Optional<String> host) {
    if (publicUrl != null) {
      return origin.equals(publicUrl.getScheme() + "://" + publicUrl.getRawAuthority());
    }
    return host.filter(own -> origin.equals("http://" + own) || origin.equals("https://" + own))
        .isPresent();
  }

  private static Optional<String> first(RequestHead head, String name) {
    return head.headers().getOrDefault(name, List.of()).stream().findFirst();
  }
}
