package dev.millrace.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.millrace.contract.digest.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The laws of signed URLs, by HTTP to whoever serves them. */
abstract class SignedUrlConformanceTest {

  private static final int MOST_TRIES = 5;

  private static final Duration WHILE = Duration.ofMinutes(5);

  final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** The store under test, always the same within a test. */
  protected abstract ObjectStore store();

  /** What the store's clock says. */
  protected abstract Instant now();

  /** Who serves the store's relative URLs. */
  protected abstract URI server();

  @AfterEach
  void hangUp() {
    http.shutdownNow();
  }

  @Test
  void a_signed_url_says_how_to_use_it_and_until_when() {
    Instant before = now().minusSeconds(20);
    SignedUrl get = store().signedGet(newKey(), "image/png", "a.png", WHILE);
    assertThat(get.method()).isEqualTo("GET");
    assertThat(get.expiresAt()).isBetween(before.plus(WHILE), now().plus(WHILE).plusSeconds(1));

    SignedUrl put = store().signedPut(newKey(), "image/png", 1234, null, WHILE);
    assertThat(put.method()).isEqualTo("PUT");
    assertThat(header(put, "Content-Type")).isEqualTo("image/png");
    assertThat(header(put, "Content-Length")).isEqualTo("1234");
  }

  @Test
  void a_signed_url_lives_a_while_but_not_for_ever() {
    for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(8))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store().signedGet(newKey(), "image/png", null, ttl));
    }
  }

  @Test
  void what_is_put_by_a_url_is_an_object() throws Exception {
    byte[] bytes = randomBytes(300_000);
    for (String sha256 : new String[] {null, sha256(bytes)}) {
      String key = newKey();
      SignedUrl url = store().signedPut(key, "image/png", bytes.length, sha256, WHILE);

      assertThat(put(url, bytes)).isEqualTo(200);

      assertThat(store().stat(key)).contains(new ObjectStat(bytes.length, sha256(bytes)));
      assertThat(store().verify(key, bytes.length, sha256(bytes))).isEqualTo(ObjectCheck.INTACT);
    }
  }

  @Test
  void an_object_is_read_by_a_url_with_its_type_and_its_name() throws Exception {
    byte[] bytes = randomBytes(300_000);
    String key = stored(bytes);
    SignedUrl url = store().signedGet(key, "image/png", "M\u00fchle.png", WHILE);

    HttpResponse<byte[]> answer = get(url, Map.of());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(bytes);
    assertThat(answer.headers().firstValue("content-type")).contains("image/png");
    assertThat(answer.headers().firstValue("content-disposition").orElse(""))
        .startsWith("inline")
        .contains("filename*=UTF-8''M%C3%BChle.png");
  }

  @Test
  void a_script_is_saved_and_not_shown() throws Exception {
    String key = stored("<script>".getBytes(UTF_8));
    HttpResponse<byte[]> answer =
        get(store().signedGet(key, "text/html", "a.html", WHILE), Map.of());
    assertThat(answer.headers().firstValue("content-disposition").orElse(""))
        .startsWith("attachment");
  }

  @Test
  void a_part_of_an_object_is_read_by_a_range() throws Exception {
    String key = stored("0123456789".getBytes(UTF_8));
    SignedUrl url = store().signedGet(key, "image/png", null, WHILE);

    HttpResponse<byte[]> part = get(url, Map.of("Range", "bytes=2-4"));
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("234".getBytes(UTF_8));
    assertThat(part.headers().firstValue("content-range")).contains("bytes 2-4/10");

    assertThat(get(url, Map.of("Range", "bytes=-3")).body()).isEqualTo("789".getBytes(UTF_8));
    assertThat(get(url, Map.of("Range", "bytes=8-")).body()).isEqualTo("89".getBytes(UTF_8));
    assertThat(get(url, Map.of("Range", "bytes=10-")).statusCode()).isEqualTo(416);
  }

  @Test
  void a_missing_object_is_not_found() throws Exception {
    SignedUrl url = store().signedGet(newKey(), "image/png", null, WHILE);
    assertThat(get(url, Map.of()).statusCode()).isEqualTo(404);
  }

  @Test
  void an_expired_url_does_nothing() throws Exception {
    String key = stored(randomBytes(10));
    SignedUrl get = store().signedGet(key, "image/png", null, Duration.ofSeconds(1));
    String other = newKey();
    SignedUrl put = store().signedPut(other, "image/png", 10, null, Duration.ofSeconds(1));

    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> get(get, Map.of()).statusCode() == 403);
    await().until(() -> !now().isBefore(put.expiresAt()));

    assertThat(put(put, randomBytes(10))).isEqualTo(403);
    assertThat(store().size(other)).isEmpty();
  }

  @Test
  void a_url_is_good_for_its_own_method_only() throws Exception {
    String key = stored(randomBytes(10));
    SignedUrl get = store().signedGet(key, "image/png", null, WHILE);
    SignedUrl put = store().signedPut(newKey(), "image/png", 10, null, WHILE);

    assertThat(send("PUT", get.uri(), Map.of("Content-Type", "image/png"), new byte[10]))
        .isIn(400, 403);
    assertThat(send("DELETE", get.uri(), Map.of(), new byte[0])).isIn(403, 405);
    assertThat(send("DELETE", put.uri(), Map.of(), new byte[0])).isIn(403, 405);
    assertThat(get(put, Map.of()).statusCode()).isEqualTo(403);
    assertThat(store().size(key)).hasValue(10);
  }

  @Test
  void a_url_that_was_changed_does_nothing() throws Exception {
    String mine = stored(randomBytes(10));
    String others = stored(randomBytes(20));
    String url = store().signedGet(mine, "image/png", null, WHILE).uri().toString();
    String signature = url.substring(url.toLowerCase(Locale.ROOT).indexOf("signature=") + 10);
    for (String changed :
        List.of(
            url.replace(mine, others),
            url.replace(signature, new StringBuilder(signature).reverse()),
            url.replace("image%2Fpng", "text%2Fhtml"),
            url.replaceAll("(?i)(expires=)", "$19"))) {
      assertThat(changed).isNotEqualTo(url);
      assertThat(send("GET", URI.create(changed), Map.of(), new byte[0])).isIn(400, 403);
    }
    String key = newKey();
    String put = store().signedPut(mine, "image/png", 10, null, WHILE).uri().toString();
    SignedUrl honest = store().signedPut(mine, "image/png", 10, null, WHILE);
    assertThat(send("PUT", URI.create(put.replace(mine, key)), sendable(honest), new byte[10]))
        .isEqualTo(403);
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void what_is_larger_or_smaller_than_agreed_is_refused() throws Exception {
    String key = newKey();
    SignedUrl url = store().signedPut(key, "image/png", 100, null, WHILE);
    for (int size : new int[] {0, 99, 101, 100_000}) {
      assertThat(put(url, randomBytes(size))).as("%d bytes", size).isIn(400, 403, 411, 413);
      assertThat(store().size(key)).isEmpty();
    }
    assertThat(put(url, randomBytes(100))).isEqualTo(200);
  }

  @Test
  void what_has_no_length_is_refused() throws Exception {
    String key = newKey();
    SignedUrl url = store().signedPut(key, "image/png", 100, null, WHILE);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(absolute(url.uri()))
            .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(randomBytes(100))));
    sendable(url).forEach(request::header);
    assertThat(sendAlone(request.build()).statusCode()).isIn(400, 403, 411);
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void what_is_of_another_type_than_agreed_is_refused() throws Exception {
    String key = newKey();
    SignedUrl url = store().signedPut(key, "image/png", 10, null, WHILE);
    for (String type : List.of("text/html", "image/jpeg")) {
      Map<String, String> headers = new HashMap<>(sendable(url));
      headers.keySet().removeIf(name -> name.equalsIgnoreCase("content-type"));
      headers.put("Content-Type", type);
      assertThat(send("PUT", url.uri(), headers, new byte[10])).isEqualTo(403);
    }
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void what_has_another_checksum_than_agreed_is_refused() throws Exception {
    byte[] agreed = randomBytes(100);
    String key = newKey();
    SignedUrl url = store().signedPut(key, "image/png", 100, sha256(agreed), WHILE);
    assertThat(put(url, new byte[100])).isIn(400, 403);
    assertThat(store().size(key)).isEmpty();
    assertThat(put(url, agreed)).isEqualTo(200);
  }

  @Test
  void a_url_puts_once_and_changes_nothing_later() throws Exception {
    byte[] first = randomBytes(100);
    String key = newKey();
    SignedUrl url = store().signedPut(key, "image/png", 100, null, WHILE);
    assertThat(put(url, first)).isEqualTo(200);
    assertThat(put(url, new byte[100])).isEqualTo(412);
    assertThat(store().verify(key, 100, sha256(first))).isEqualTo(ObjectCheck.INTACT);
  }

  private String stored(byte[] bytes) throws IOException {
    String key = newKey();
    store().put(key, "image/png", new ByteArrayInputStream(bytes), bytes.length);
    return key;
  }

  private static String header(SignedUrl url, String name) {
    return url.headers().entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  /** The client counts the length itself, and lets nobody else. */
  static Map<String, String> sendable(SignedUrl url) {
    Map<String, String> headers = new HashMap<>(url.headers());
    headers.keySet().removeIf(name -> name.equalsIgnoreCase("content-length"));
    return headers;
  }

  private int put(SignedUrl url, byte[] bytes) throws Exception {
    return send("PUT", url.uri(), sendable(url), bytes);
  }

  private int send(String method, URI uri, Map<String, String> headers, byte[] body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(absolute(uri)).method(method, BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    return sendAlone(request.build()).statusCode();
  }

  /**
   * A store that refuses a body closes the connection, and the next on it would have to suffer. The
   * answer itself is lost if there was more of the body to come; then the store is asked again.
   */
  protected static HttpResponse<byte[]> sendAlone(HttpRequest request) throws Exception {
    for (int tries = 1; ; tries++) {
      try (HttpClient alone =
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
        return alone.send(request, BodyHandlers.ofByteArray());
      } catch (IOException e) {
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private HttpResponse<byte[]> get(SignedUrl url, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(absolute(url.uri())).GET();
    headers.forEach(request::header);
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  protected URI absolute(URI uri) {
    return uri.isAbsolute() ? uri : server().resolve(uri);
  }

  protected static String newKey() {
    return ObjectKeys.output(
        "acme", "job-" + UUID.randomUUID(), 1, UUID.randomUUID(), MediaType.PNG);
  }

  public static String sha256(byte[] bytes) {
    return Sha256.hex(bytes);
  }

  protected static byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }
}
