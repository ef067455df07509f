package dev.millrace.service.identity;

import dev.millrace.providers.wire.WireJson;
import java.net.URI;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a provider has what, as its discovery document says.
 *
 * @param authorization where people sign in; null if nobody does
 * @param methods how clients may prove to be themselves
 * @param namesItself whether it says who it is when it sends people back
 */
record ProviderDocument(
    URI keys,
    @Nullable URI authorization,
    @Nullable URI token,
    @Nullable URI userInfo,
    @Nullable URI endSession,
    Set<String> methods,
    boolean namesItself) {

  /** What a document doesn't say is {@code client_secret_basic}. */
  private static final Set<String> USUAL_METHODS = Set.of("client_secret_basic");

  static URI address(String issuer) {
    return URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
  }

  /** Reads the document of this issuer; one of another issuer is refused. */
  static ProviderDocument read(String issuer, ObjectNode json) throws ProviderTrouble {
    if (!json.path("issuer").asString("").equals(issuer)) {
      throw new ProviderTrouble("its discovery document is of another issuer");
    }
    Set<String> methods = new HashSet<>();
    for (JsonNode method : json.path("token_endpoint_auth_methods_supported").values()) {
      WireJson.text(method).ifPresent(methods::add);
    }
    URI keys = endpoint(issuer, json, "jwks_uri");
    if (keys == null) {
      throw new ProviderTrouble("its discovery document names no jwks_uri");
    }
    return new ProviderDocument(
        keys,
        endpoint(issuer, json, "authorization_endpoint"),
        endpoint(issuer, json, "token_endpoint"),
        endpoint(issuer, json, "userinfo_endpoint"),
        endpoint(issuer, json, "end_session_endpoint"),
        methods.isEmpty() ? USUAL_METHODS : methods,
        json.path("authorization_response_iss_parameter_supported").asBoolean(false));
  }

  /** An issuer that is asked over https must not lead to where others can listen. */
  private static @Nullable URI endpoint(String issuer, ObjectNode json, String name)
      throws ProviderTrouble {
    Optional<String> text = WireJson.text(json, name);
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI uri = URI.create(text.get());
      boolean https = "https".equalsIgnoreCase(uri.getScheme());
      boolean http = "http".equalsIgnoreCase(uri.getScheme()) && !issuer.startsWith("https:");
      if ((https || http) && uri.getHost() != null && uri.getRawFragment() == null) {
        return uri;
      }
    } catch (IllegalArgumentException _) {
      // Told below, with all that is no address.
    }
    throw new ProviderTrouble("its discovery document has no good " + name);
  }
}
