package dev.millrace.server.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.postgres.records.KeyView;
import dev.millrace.postgres.records.Keys;
import dev.millrace.postgres.records.Tenants;
import dev.millrace.server.http.Handler;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import java.time.Duration;
import java.util.Optional;

/** Turns a bearer key into a principal, or refuses. */
public final class Authentication {

  /** A handler that knows who is asking. */
  @FunctionalInterface
  public interface Authenticated {
    Response handle(Request request, Principal principal) throws Exception;
  }

  /** As long as a revoked key may still work. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 10_000;
  private static final String SCHEME = "bearer ";

  private final Keys keys;
  private final Tenants tenants;
  private final Cache<String, Optional<Principal>> known =
      Caffeine.newBuilder().expireAfterWrite(MEMORY).maximumSize(MOST_REMEMBERED).build();

  public Authentication(Keys keys, Tenants tenants) {
    this.keys = keys;
    this.tenants = tenants;
  }

  /** The handler, for those who have at least this role. */
  public Handler require(Role role, Authenticated handler) {
    return request -> {
      Principal principal = identify(request);
      if (!principal.role().includes(role)) {
        throw new ProblemException(
            403, "forbidden", "This needs a key with the role " + role.label() + ".");
      }
      return handler.handle(request, principal);
    };
  }

  /** Whose key this is, if it is one of ours and alive. */
  public Optional<Principal> identify(String text) {
    return ApiKey.parse(text).flatMap(key -> known.get(key.hash(), this::look));
  }

  private Principal identify(Request request) {
    String header = request.header("authorization").orElse("");
    String scheme = header.substring(0, Math.min(SCHEME.length(), header.length()));
    if (!scheme.equalsIgnoreCase(SCHEME)) {
      throw unauthenticated("Send your API key as: Authorization: Bearer mr_...");
    }
    return identify(header.substring(SCHEME.length()).strip())
        .orElseThrow(() -> unauthenticated("This API key is unknown, mistyped or revoked."));
  }

  private Optional<Principal> look(String hash) {
    Optional<KeyView> found = keys.find(hash);
    found.ifPresent(key -> keys.touch(key.tenantId(), key.id()));
    return found.map(key ->
        new Principal(
            key.tenantId(),
            tenants.slug(key.tenantId()),
            key.id(),
            key.prefix(),
            Role.ofLabel(key.role()).orElseThrow(),
            key.userId()));
  }

  private static ProblemException unauthenticated(String detail) {
    return new ProblemException(401, "unauthenticated", detail)
        .header("WWW-Authenticate", "Bearer");
  }
}
