package dev.millrace.service.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import dev.millrace.testkit.Background;
import dev.millrace.testkit.net.Reply;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnownIssuerTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final TinyIssuer issuer = new TinyIssuer();
  private volatile Instant time = NOW;
  private final KnownIssuer known = known(ProviderCalls.PATIENCE);

  @AfterEach
  void stop() {
    issuer.close();
  }

  private KnownIssuer known(Duration patience) {
    return new KnownIssuer(issuer.name(), null, new ProviderCalls(patience), () -> time);
  }

  private SignedJWT token() {
    return token(issuer.key());
  }

  private SignedJWT token(RSAKey key) {
    try {
      return SignedJWT.parse(TinyIssuer.signed(key, "at+jwt", issuer.claims(NOW).build()));
    } catch (ParseException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void its_keys_are_asked_for_once() throws ProviderTrouble {
    for (int i = 0; i < 20; i++) {
      assertThat(known.hasSigned(token())).isTrue();
    }
    assertThat(issuer.looks()).isEqualTo(1);
  }

  @Test
  void those_who_come_together_are_one_question() throws InterruptedException {
    CountDownLatch open = new CountDownLatch(1);
    issuer.mood(() -> {
      try {
        assertThat(open.await(10, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return issuer.keys();
    });
    SignedJWT token = token();
    List<CompletableFuture<Boolean>> asking =
        IntStream.range(0, 20)
            .mapToObj(_ -> Background.call(() -> known.hasSigned(token)))
            .toList();
    await().until(() -> issuer.looks() == 1);
    open.countDown();
    assertThat(asking).allSatisfy(one -> assertThat(one.join()).isTrue());
    assertThat(issuer.looks()).isEqualTo(1);
  }

  @Test
  void a_new_key_is_found_at_once_and_the_old_one_is_forgotten() throws ProviderTrouble {
    SignedJWT old = token();
    assertThat(known.hasSigned(old)).isTrue();
    issuer.rotate("second");
    assertThat(known.hasSigned(token())).isTrue();
    assertThat(known.hasSigned(old)).isFalse();
    assertThat(issuer.looks()).isEqualTo(2);
  }

  @Test
  void another_key_under_the_same_name_is_found_too() throws ProviderTrouble {
    assertThat(known.hasSigned(token())).isTrue();
    issuer.rotate("first");
    assertThat(known.hasSigned(token())).isTrue();
  }

  @Test
  void made_up_keys_cause_one_question_in_ten_seconds() throws ProviderTrouble {
    assertThat(known.hasSigned(token())).isTrue();
    RSAKey forger = TinyIssuer.newKey("forged");
    for (int i = 0; i < 50; i++) {
      assertThat(known.hasSigned(token(forger))).isFalse();
    }
    assertThat(issuer.looks()).isEqualTo(2);
    issuer.rotate("second");
    assertThat(known.hasSigned(token())).as("too soon").isFalse();
    time = NOW.plus(KnownIssuer.PAUSE).plusMillis(1);
    assertThat(known.hasSigned(token())).isTrue();
    assertThat(issuer.looks()).isEqualTo(3);
  }

  @Test
  void old_keys_are_renewed_in_the_background_and_count_for_a_day_without_an_answer()
      throws ProviderTrouble {
    SignedJWT token = token();
    assertThat(known.hasSigned(token)).isTrue();
    time = NOW.plus(KnownIssuer.FRESH).plusSeconds(1);
    issuer.rotate("second");
    assertThat(known.hasSigned(token)).as("nobody waits for the new ones").isTrue();
    await().until(() -> issuer.looks() == 2);
    await().until(() -> !known.hasSigned(token));
    SignedJWT second = token();

    issuer.stop();
    time = time.plus(KnownIssuer.LONGEST);
    assertThat(known.hasSigned(second)).isTrue();
    time = time.plusSeconds(1);
    assertThatThrownBy(() -> known.hasSigned(second)).isInstanceOf(ProviderTrouble.class);
  }

  @Test
  void an_issuer_that_failed_is_asked_again_after_a_rest() throws ProviderTrouble {
    issuer.mood(() -> Reply.text(500, "no"));
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> known.hasSigned(token())).hasMessageContaining("answered 500");
    }
    assertThat(issuer.looks()).isEqualTo(1);
    issuer.mood(issuer::keys);
    time = NOW.plus(KnownIssuer.REST).plusMillis(1);
    assertThat(known.hasSigned(token())).isTrue();
  }

  @Test
  void whatever_it_answers_is_trouble_or_keys_and_comes_in_time() {
    List<Reply> answers =
        List.of(
            new Reply.Silence(),
            new Reply.Cut(),
            Reply.text(200, "<html>"),
            Reply.text(200, "[".repeat(100_000)),
            Reply.json(200, Map.of("keys", "none")),
            Reply.json(200, Map.of("keys", List.of(Map.of("kty", "RSA", "n", "!")))),
            Reply.bytes(200, "application/json", new byte[300 * 1024]),
            Reply.empty(302).with("Location", issuer.name() + "/elsewhere"));
    KnownIssuer hasty = known(Duration.ofMillis(500));
    long begun = System.nanoTime();
    for (Reply answer : answers) {
      issuer.mood(() -> answer);
      time = time.plus(KnownIssuer.REST).plusMillis(1);
      assertThatThrownBy(() -> hasty.hasSigned(token()))
          .as(answer.toString())
          .isInstanceOf(ProviderTrouble.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void a_short_key_and_a_shared_secret_are_none() throws Exception {
    RSAKey shortOne =
        new com.nimbusds.jose.jwk.gen.RSAKeyGenerator(1024, true).keyID("short").generate();
    issuer.publish(
        shortOne,
        new com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator(256).keyID("secret").generate(),
        issuer.key());
    assertThat(known.hasSigned(token())).isTrue();
    assertThat(known.keysFor(header("short"))).isEmpty();
    assertThat(known.keysFor(header("secret"))).isEmpty();
    assertThat(known.keysFor(header("first"))).hasSize(1);
  }

  private static com.nimbusds.jose.JWSHeader header(String key) {
    return new com.nimbusds.jose.JWSHeader.Builder(com.nimbusds.jose.JWSAlgorithm.RS256)
        .keyID(key)
        .build();
  }

  @Test
  void a_document_of_another_issuer_or_one_that_leads_where_others_listen_is_refused() {
    var json = tools.jackson.databind.json.JsonMapper.shared().createObjectNode();
    json.put("issuer", "https://issuer.example").put("jwks_uri", "http://issuer.example/keys");
    assertThatThrownBy(() -> ProviderDocument.read("https://issuer.example", json))
        .hasMessageContaining("jwks_uri");
    assertThatThrownBy(() -> ProviderDocument.read("https://issuer.example/", json))
        .hasMessageContaining("another issuer");
    json.put("jwks_uri", "file:///etc/passwd");
    assertThatThrownBy(() -> ProviderDocument.read("https://issuer.example", json))
        .hasMessageContaining("jwks_uri");
  }
}
