package dev.millrace.service.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.SmallServer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** An issuer whose keys, answers and moods the test decides. */
final class TinyIssuer implements AutoCloseable {

  static final String AUDIENCE = "https://millrace.example";

  private final SmallServer server = SmallServer.start(request -> answer(request.path()));
  private final AtomicInteger looks = new AtomicInteger();
  private volatile List<JWK> published;
  private volatile RSAKey key;
  private volatile Supplier<Reply> mood = this::keys;

  TinyIssuer() {
    key = newKey("first");
    published = List.of(key);
  }

  private Reply answer(String path) {
    if (path.endsWith("/.well-known/openid-configuration")) {
      return Reply.json(200, Map.of("issuer", name(), "jwks_uri", server.url() + "/keys"));
    }
    looks.incrementAndGet();
    return mood.get();
  }

  Reply keys() {
    return Reply.json(200, new JWKSet(published).toJSONObject());
  }

  String name() {
    return server.url().toString();
  }

  /** How often its keys were asked for. */
  int looks() {
    return looks.get();
  }

  /** What it answers from now on to whoever wants its keys. */
  void mood(Supplier<Reply> answer) {
    mood = answer;
  }

  void stop() {
    server.stop();
  }

  RSAKey key() {
    return key;
  }

  /** Signs with another key from now on, which alone is published. */
  void rotate(String id) {
    key = newKey(id);
    published = List.of(key);
  }

  void publish(JWK... keys) {
    published = List.of(keys);
  }

  static RSAKey newKey(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The claims of a good token at this time. */
  JWTClaimsSet.Builder claims(Instant now) {
    return new JWTClaimsSet.Builder()
        .issuer(name())
        .subject("ada")
        .audience(AUDIENCE)
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)))
        .claim("roles", List.of("makers"));
  }

  String token(Instant now, UnaryOperator<JWTClaimsSet.Builder> change) {
    return signed(key, "at+jwt", change.apply(claims(now)).build());
  }

  static String signed(RSAKey key, String type, JWTClaimsSet claims) {
    try {
      JWSHeader header =
          new JWSHeader.Builder(JWSAlgorithm.RS256)
              .type(new JOSEObjectType(type))
              .keyID(key.getKeyID())
              .build();
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(new RSASSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
