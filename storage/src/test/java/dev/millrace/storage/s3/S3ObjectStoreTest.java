package dev.millrace.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreConformanceTest;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.SignedUrl;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class S3ObjectStoreTest extends ObjectStoreConformanceTest {

  @SuppressWarnings("NullAway.Init")
  private static S3Rig rig;

  private S3ObjectStore store;

  @BeforeAll
  static void startRig() throws Exception {
    rig = S3Rig.start();
  }

  @AfterAll
  static void stopRig() {
    rig.close();
  }

  @BeforeEach
  void openStore() {
    store = rig.store();
  }

  @AfterEach
  void closeStore() {
    store.parts().abandon(Duration.ofSeconds(-5));
    store.close();
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected Instant now() {
    return Instant.now();
  }

  @Override
  protected URI server() {
    return rig.endpoint();
  }

  @Override
  protected List<String> unfinished() {
    return rig.unfinished();
  }

  @Test
  void a_url_leads_to_the_store_itself_below_the_prefix() {
    SignedUrl url = store.signedGet(newKey(), "image/png", null, Duration.ofMinutes(1));
    assertThat(url.uri().toString())
        .startsWith(rig.endpoint() + "/" + S3Rig.BUCKET + "/mill/one/tenants/acme/jobs/");
    assertThat(url.under(URI.create("https://example.org"))).isEqualTo(url.uri());
  }

  @Test
  void all_that_an_upload_may_decide_is_signed() {
    String sha256 = sha256(new byte[0]);
    SignedUrl url = store.signedPut(newKey(), "image/png", 5, sha256, Duration.ofMinutes(1));
    assertThat(url.headers())
        .isEqualTo(
            Map.of(
                "content-type", "image/png",
                "content-length", "5",
                "if-none-match", "*",
                "x-amz-checksum-sha256", S3ObjectStore.base64(sha256)));
    assertThat(url.uri().getQuery())
        .contains(
            "X-Amz-SignedHeaders=content-length;content-type;host;if-none-match;"
                + "x-amz-checksum-sha256")
        .contains("X-Amz-Expires=60");
  }

  @Test
  void a_large_write_that_fails_leaves_no_parts_behind() {
    String key = newKey();
    assertThatThrownBy(() ->
            store.put(
                key,
                "image/png",
                out -> {
                  out.write(randomBytes(9_000_000));
                  throw new IllegalStateException("bug");
                },
                20_000_000))
        .hasMessage("bug");
    assertThat(rig.unfinished()).noneMatch(name -> name.endsWith(key));
  }

  @Test
  void signed_urls_lead_to_where_others_reach_the_store() throws Exception {
    S3Place inside = rig.place();
    URI outside = URI.create("http://localhost:" + rig.endpoint().getPort());
    S3Place place =
        new S3Place(
            rig.endpoint(), outside, inside.region(), inside.bucket(), inside.prefix(), true);
    String key = ObjectKeys.upload("acme", UUID.randomUUID(), MediaType.TEXT);
    try (S3ObjectStore store =
            new S3ObjectStore(place, S3Clients.credentials(S3Rig.KEY_ID, S3Rig.SECRET));
        HttpClient http = HttpClient.newHttpClient()) {
      store.put(key, "text/plain", out -> out.write('x'), 10);
      URI url = store.signedGet(key, "text/plain", null, Duration.ofMinutes(1)).uri();
      assertThat(url.getHost()).isEqualTo("localhost");
      assertThat(http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body())
          .isEqualTo("x");
    }
  }

  @Test
  void what_is_wrong_with_the_settings_is_said_in_words() throws Exception {
    assertTrouble(rig.place("no-such-bucket"), S3Rig.SECRET, "no-such-bucket", "does not exist");
    assertTrouble(rig.place(), "another-secret", "credentials", "refused");
    S3Place nowhere =
        new S3Place(URI.create("http://127.0.0.1:1"), null, S3Rig.REGION, S3Rig.BUCKET, "", true);
    assertTrouble(nowhere, S3Rig.SECRET, "http://127.0.0.1:1", "can't be reached");
  }

  private static void assertTrouble(S3Place place, String secret, String... words) {
    try (S3ObjectStore broken =
        new S3ObjectStore(place, S3Clients.credentials(S3Rig.KEY_ID, secret))) {
      assertThatThrownBy(broken::check)
          .isInstanceOf(ObjectStoreException.class)
          .message()
          .contains(words)
          .doesNotContain(secret);
    }
  }
}
