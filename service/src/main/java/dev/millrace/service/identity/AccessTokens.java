package dev.millrace.service.identity;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a text is an access token that one of our issuers made for us, and is good now.
 */
final class AccessTokens {

  private static final int LONGEST = 16 * 1024;

  /** {@code at+jwt} is an access token for sure; providers from before RFC 9068 say JWT. */
  private static final Set<JOSEObjectType> SURE =
      Set.of(new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"));

  /** What only ID tokens have, and Keycloak's own mark of what a token is. */
  private static final List<String> OF_ID_TOKENS = List.of("nonce", "at_hash", "c_hash");

  private static final String KIND = "typ";
  private static final String ACCESS = "Bearer";

  private final Map<String, KnownIssuer> issuers;
  private final Set<String> audiences;
  private final Duration skew;
  private final InstantSource clock;

  AccessTokens(
      Map<String, KnownIssuer> issuers, Set<String> audiences, Duration skew, InstantSource clock) {
    this.issuers = Map.copyOf(issuers);
    this.audiences = Set.copyOf(audiences);
    this.skew = skew;
    this.clock = clock;
  }

  /** What came of the check. */
  sealed interface Check {

    record Good(String issuer, Map<String, Object> claims) implements Check {}

    /**
     * Not to be believed.
     *
     * @param reason a sentence that says what to do, and quotes nothing
     */
    record Bad(String reason) implements Check {}

    /** The issuer can't be asked for its keys, and none are remembered. */
    record Unsure() implements Check {}
  }

  Check check(String text) {
    if (text.length() > LONGEST) {
      return new Check.Bad("This token is longer than any that is taken here.");
    }
    try {
      if (!(JWTParser.parse(text) instanceof SignedJWT token)) {
        return new Check.Bad("This token isn't signed. Send a signed access token.");
      }
      @Nullable JWTClaimsSet claims = token.getJWTClaimsSet();
      return claims == null ? malformed() : check(token, claims);
    } catch (ParseException | IllegalArgumentException _) {
      return malformed();
    } catch (ProviderTrouble _) {
      return new Check.Unsure();
    }
  }

  private static Check malformed() {
    return new Check.Bad("This token is malformed. Send a whole JWT, as its issuer gave it.");
  }

  /** Nothing of the claims is believed before the signature was checked, not even for a refusal. */
  private Check check(SignedJWT token, JWTClaimsSet claims) throws ProviderTrouble {
    if (!KnownIssuer.ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
      return new Check.Bad(
          "This token's algorithm isn't taken. Have it signed with RS, PS or ES and 256, 384 or"
              + " 512.");
    }
    KnownIssuer issuer = claims.getIssuer() == null ? null : issuers.get(claims.getIssuer());
    if (issuer == null) {
      return new Check.Bad(
          "This token's issuer isn't known here. Whoever runs this server can name it in"
              + " MILLRACE_JWT_ISSUERS.");
    }
    if (!issuer.hasSigned(token)) {
      return new Check.Bad(
          "This token wasn't signed with a key that its issuer has now. Get a new one.");
    }
    @Nullable String flaw = flaw(token, claims);
    return flaw == null ? new Check.Good(issuer.name(), claims.getClaims()) : new Check.Bad(flaw);
  }

  private @Nullable String flaw(SignedJWT token, JWTClaimsSet claims) {
    Date end = claims.getExpirationTime();
    if (end == null) {
      return "This token has no end (exp). Send one that ends.";
    }
    if (!end.toInstant().plus(skew).isAfter(clock.instant())) {
      return "This token has ended. Get a new one.";
    }
    if (isLater(claims.getNotBeforeTime()) || isLater(claims.getIssueTime())) {
      return "This token isn't good yet. Wait, or set the clocks of its issuer and this server.";
    }
    if (Collections.disjoint(claims.getAudience(), audiences)) {
      return "This token is for another audience. Ask its issuer for one that is for this server.";
    }
    if (claims.getClaim("cnf") != null) {
      return "This token is bound to a key of its holder, which isn't supported. Get one without"
          + " cnf.";
    }
    return isAccess(token, claims)
        ? null
        : "This isn't an access token. Send the access token, not the ID token or another one.";
  }

  private boolean isLater(@Nullable Date time) {
    return time != null && time.toInstant().minus(skew).isAfter(clock.instant());
  }

  private static boolean isAccess(SignedJWT token, JWTClaimsSet claims) {
    JOSEObjectType type = token.getHeader().getType();
    if (type != null && SURE.contains(type)) {
      return true;
    }
    Object kind = claims.getClaim(KIND);
    return (type == null || type.equals(JOSEObjectType.JWT))
        && (kind == null
            ? OF_ID_TOKENS.stream().noneMatch(name -> claims.getClaim(name) != null)
            : kind.equals(ACCESS));
  }
}
