package dev.millrace.service.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.millrace.service.identity.AccessTokens.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTokensTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration SKEW = Duration.ofSeconds(60);

  private final TinyIssuer issuer = new TinyIssuer();
  private Instant time = NOW;
  private final AccessTokens tokens =
      new AccessTokens(
          Map.of(
              issuer.name(), new KnownIssuer(issuer.name(), null, new ProviderCalls(), () -> time)),
          Set.of(TinyIssuer.AUDIENCE, "another"),
          SKEW,
          () -> time);

  @AfterEach
  void stop() {
    issuer.close();
  }

  private Check check(UnaryOperator<JWTClaimsSet.Builder> change) {
    return tokens.check(issuer.token(NOW, change));
  }

  private static void requireBad(Check check, String part) {
    assertThat(check).isInstanceOf(Check.Bad.class);
    assertThat(((Check.Bad) check).reason()).contains(part).doesNotContain("\"", "\\", "\n");
  }

  @Test
  void a_token_of_a_known_issuer_for_us_is_good_until_its_end_and_the_skew() {
    String token = issuer.token(NOW, claims -> claims);
    assertThat(tokens.check(token)).isInstanceOf(Check.Good.class);
    time = NOW.plusSeconds(300 + 59);
    assertThat(tokens.check(token)).isInstanceOf(Check.Good.class);
    time = NOW.plusSeconds(300 + 60);
    requireBad(tokens.check(token), "has ended");
  }

  @Test
  void a_token_is_good_from_its_beginning_less_the_skew() {
    UnaryOperator<JWTClaimsSet.Builder> later =
        claims -> claims.notBeforeTime(Date.from(NOW.plusSeconds(120)));
    requireBad(check(later), "isn't good yet");
    requireBad(check(claims -> claims.issueTime(Date.from(NOW.plusSeconds(61)))), "isn't good yet");
    time = NOW.plusSeconds(60);
    assertThat(check(later)).isInstanceOf(Check.Good.class);
  }

  @Test
  void what_a_token_must_say_is_said() {
    requireBad(check(claims -> claims.expirationTime(null)), "no end");
    requireBad(check(claims -> claims.audience("elsewhere")), "another audience");
    requireBad(check(claims -> claims.audience((String) null)), "another audience");
    requireBad(check(claims -> claims.issuer("https://elsewhere.example")), "issuer isn't known");
    requireBad(check(claims -> claims.issuer(null)), "issuer isn't known");
    requireBad(check(claims -> claims.issuer(issuer.name() + "/")), "issuer isn't known");
    requireBad(check(claims -> claims.claim("cnf", Map.of("jkt", "x"))), "bound to a key");
    assertThat(check(claims -> claims.audience(List.of("elsewhere", "another"))))
        .isInstanceOf(Check.Good.class);
  }

  @Test
  void another_kind_of_token_is_no_access_token() {
    JWTClaimsSet claims = issuer.claims(NOW).build();
    assertThat(tokens.check(TinyIssuer.signed(issuer.key(), "JWT", claims)))
        .isInstanceOf(Check.Good.class);
    for (String type : List.of("logout+jwt", "dpop+jwt", "id_token+jwt")) {
      requireBad(tokens.check(TinyIssuer.signed(issuer.key(), type, claims)), "access token");
    }
    for (String claim : List.of("nonce", "at_hash", "c_hash")) {
      JWTClaimsSet ofId = issuer.claims(NOW).claim(claim, "x").build();
      requireBad(tokens.check(TinyIssuer.signed(issuer.key(), "JWT", ofId)), "access token");
    }
    JWTClaimsSet ofKeycloak = issuer.claims(NOW).claim("typ", "ID").build();
    requireBad(tokens.check(TinyIssuer.signed(issuer.key(), "JWT", ofKeycloak)), "access token");
    JWTClaimsSet access = issuer.claims(NOW).claim("typ", "Bearer").claim("nonce", "x").build();
    assertThat(tokens.check(TinyIssuer.signed(issuer.key(), "JWT", access)))
        .isInstanceOf(Check.Good.class);
  }

  @Test
  void a_token_without_a_signature_or_with_a_shared_secret_is_refused() throws JOSEException {
    JWTClaimsSet claims = issuer.claims(NOW).build();
    requireBad(tokens.check(new PlainJWT(claims).serialize()), "isn't signed");
    // The classic: the public key taken for a shared secret.
    SignedJWT shared =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID(issuer.key().getKeyID())
                .build(),
            claims);
    shared.sign(new MACSigner(issuer.key().toRSAPublicKey().getEncoded()));
    requireBad(tokens.check(shared.serialize()), "algorithm isn't taken");
    assertThat(issuer.looks()).as("none of these is worth a question").isZero();
  }

  @Test
  void a_token_that_was_changed_or_signed_by_another_is_refused() {
    String token = issuer.token(NOW, claims -> claims);
    String richer = issuer.token(NOW, claims -> claims.claim("roles", List.of("operators")));
    String[] parts = token.split("\\.", -1);
    requireBad(
        tokens.check(parts[0] + "." + richer.split("\\.", -1)[1] + "." + parts[2]),
        "wasn't signed");
    requireBad(tokens.check(parts[0] + "." + parts[1] + "."), "");
    String forged =
        TinyIssuer.signed(TinyIssuer.newKey("first"), "at+jwt", issuer.claims(NOW).build());
    requireBad(tokens.check(forged), "wasn't signed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eyJ",
        "eyJ..",
        "e30.e30.e30",
        "eyJhbGciOiJSUzI1NiJ9.bnVsbA.AAAA",
        "eyJhbGciOiJSUzI1NiJ9.W10.AAAA",
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOjF9.AAAA",
        "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOiJ4In0.AAAA",
        "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjFlOTk5OTl9.AAAA",
        "eyJhbGciOjF9.e30.AAAA",
        "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.AAAA.AAAA.AAAA.AAAA",
      })
  void what_is_no_token_is_refused_in_words(String text) {
    requireBad(tokens.check(text), "oken");
    requireBad(tokens.check("eyJ" + "A".repeat(20_000) + ".e30.AA"), "longer");
    requireBad(tokens.check(deep()), "oken");
  }

  private static String deep() {
    String json = "{\"iss\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";
    return "eyJhbGciOiJSUzI1NiJ9." + com.nimbusds.jose.util.Base64URL.encode(json) + ".AAAA";
  }

  @Test
  void a_token_of_an_issuer_that_was_never_reached_is_neither_good_nor_bad() {
    String token = issuer.token(NOW, claims -> claims);
    issuer.stop();
    assertThat(tokens.check(token)).isInstanceOf(Check.Unsure.class);
  }
}
