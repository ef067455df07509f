package dev.millrace.service.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWEKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.millrace.providers.wire.Reply;
import dev.millrace.providers.wire.WireJson;
import java.net.URI;
import java.security.Key;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Turns the code that a browser brings back into the claims of whoever signed in. */
final class CodeExchange {

  private static final String POST = "client_secret_post";
  private static final String BASIC = "client_secret_basic";

  private final IdentityTerms.SignIn terms;
  private final KnownIssuer issuer;
  private final ClaimRules rules;
  private final Duration skew;
  private final ProviderCalls calls;

  CodeExchange(
      IdentityTerms.SignIn terms,
      KnownIssuer issuer,
      ClaimRules rules,
      Duration skew,
      ProviderCalls calls) {
    this.terms = terms;
    this.issuer = issuer;
    this.rules = rules;
    this.skew = skew;
    this.calls = calls;
  }

  /** The provider refuses, or its answer can't be believed. The message quotes nothing secret. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /** The claims of the ID token, and if it lacks some, those of the userinfo endpoint. */
  Map<String, Object> claims(String code, SignInNotes notes) throws ProviderTrouble, Refused {
    ProviderDocument document = issuer.document();
    OIDCTokens tokens = tokens(document, code, notes);
    Map<String, Object> claims = claims(tokens, notes);
    AccessToken access = tokens.getAccessToken();
    URI userInfo = document.userInfo();
    if (userInfo != null && access != null && rules.wantsMoreThan(claims)) {
      ObjectNode more =
          calls.get(userInfo, Map.of("Authorization", access.toAuthorizationHeader()));
      return together(claims, more);
    }
    return claims;
  }

  private OIDCTokens tokens(ProviderDocument document, String code, SignInNotes notes)
      throws ProviderTrouble, Refused {
    URI endpoint = document.token();
    if (endpoint == null) {
      throw new ProviderTrouble("its discovery document names no token_endpoint");
    }
    Reply reply;
    try {
      HTTPRequest request = request(endpoint, document, code, notes).toHTTPRequest();
      Map<String, String> headers = new LinkedHashMap<>();
      request.getHeaderMap().forEach((name, values) -> headers.put(name, values.getFirst()));
      reply = calls.post(endpoint, headers, request.getBody());
    } catch (IllegalArgumentException _) {
      throw new Refused("the code or what the browser kept can't be sent");
    }
    if (!reply.good()) {
      throw new Refused(
          "it answered %d %s to the code".formatted(reply.status(), error(reply.body())));
    }
    try {
      HTTPResponse response = new HTTPResponse(reply.status());
      response.setContentType("application/json");
      response.setBody(reply.body());
      return OIDCTokenResponse.parse(response).getOIDCTokens();
    } catch (ParseException | IllegalArgumentException _) {
      throw new Refused("its answer to the code isn't one of OpenID Connect");
    }
  }

  private TokenRequest request(
      URI endpoint, ProviderDocument document, String code, SignInNotes notes) {
    AuthorizationCodeGrant grant =
        new AuthorizationCodeGrant(
            new AuthorizationCode(code),
            terms.at(ProviderSignIn.CALLBACK),
            new CodeVerifier(notes.verifier()));
    @Nullable ClientAuthentication proof = proof(document);
    return proof == null
        ? new TokenRequest.Builder(endpoint, client(), grant).build()
        : new TokenRequest.Builder(endpoint, proof, grant).build();
  }

  private @Nullable ClientAuthentication proof(ProviderDocument document) {
    if (terms.secret() == null) {
      return null;
    }
    Secret secret = new Secret(terms.secret().reveal());
    boolean post = document.methods().contains(POST) && !document.methods().contains(BASIC);
    return post ? new ClientSecretPost(client(), secret) : new ClientSecretBasic(client(), secret);
  }

  private ClientID client() {
    return new ClientID(terms.clientId());
  }

  /** A code of OAuth such as invalid_grant tells the operator what is wrong, and is no secret. */
  private static String error(String body) {
    return WireJson.object(body)
        .flatMap(json -> WireJson.text(json, "error"))
        .filter(error -> error.matches("[a-z_]{1,40}"))
        .orElse("");
  }

  private Map<String, Object> claims(OIDCTokens tokens, SignInNotes notes)
      throws ProviderTrouble, Refused {
    if (!(tokens.getIDToken() instanceof SignedJWT token)
        || !KnownIssuer.ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
      throw new Refused("its ID token isn't signed in a way that is taken");
    }
    if (!issuer.hasSigned(token)) {
      throw new Refused("its ID token wasn't signed with a key that it has now");
    }
    try {
      IDTokenValidator validator =
          new IDTokenValidator(
              new Issuer(issuer.name()),
              client(),
              (header, _) -> keys(header),
              (@Nullable JWEKeySelector<SecurityContext>) null);
      validator.setMaxClockSkew(Math.toIntExact(skew.toSeconds()));
      validator.validate(token, new Nonce(notes.nonce()));
      return token.getJWTClaimsSet().getClaims();
    } catch (BadJOSEException | JOSEException | java.text.ParseException _) {
      throw new Refused("its ID token isn't good: issuer, audience, nonce or times are wrong");
    }
  }

  private List<Key> keys(JWSHeader header) throws KeySourceException {
    try {
      return issuer.keysFor(header);
    } catch (ProviderTrouble e) {
      throw new KeySourceException(String.valueOf(e.getMessage()));
    }
  }

  /** What the ID token says counts; the other answer must be about the same person. */
  private static Map<String, Object> together(Map<String, Object> claims, ObjectNode more)
      throws Refused {
    if (!more.path(ClaimRules.SUBJECT).asString("").equals(claims.get(ClaimRules.SUBJECT))) {
      throw new Refused("its userinfo is about another person");
    }
    Map<String, Object> all = new LinkedHashMap<>(WireJson.plain(more));
    all.putAll(claims);
    return all;
  }
}
