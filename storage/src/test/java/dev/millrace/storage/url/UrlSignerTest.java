package dev.millrace.storage.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.storage.Hostile;
import dev.millrace.storage.Requests;
import dev.millrace.storage.SignedUrl;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlSignerTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant SOON = NOW.plusSeconds(60);
  private static final String KEY = Hostile.GOOD;

  private final UrlSigner signer = new UrlSigner(SigningKeys.of(key(1)));

  @Test
  void a_signed_download_is_granted_with_all_that_was_signed() {
    SignedUrl url = signer.get(KEY, "image/png", "Mühle & Rad+1 100%.png", SOON);
    assertThat(url.uri().toString())
        .startsWith("/objects/" + KEY + "?expires=" + SOON.getEpochSecond() + "&type=image%2Fpng");
    assertThat(signer.verify(Requests.get(url), NOW))
        .isEqualTo(
            new UrlVerdict.Granted("GET", KEY, "image/png", "Mühle & Rad+1 100%.png", -1, null));
  }

  @Test
  void a_signed_upload_is_granted_with_all_that_was_signed() {
    SignedUrl url = signer.put(KEY, "image/png", 1234, null, SOON);
    assertThat(url.headers())
        .isEqualTo(Map.of("Content-Type", "image/png", "Content-Length", "1234"));
    assertThat(signer.verify(Requests.put(url, "image/png", 1234), NOW))
        .isEqualTo(new UrlVerdict.Granted("PUT", KEY, "image/png", null, 1234, null));
    assertThat(signer.verify(Requests.put(url, "Image/PNG", 1234), NOW))
        .isInstanceOf(UrlVerdict.Granted.class);
  }

  @Test
  void a_url_is_good_until_its_last_second_and_not_in_it() {
    ObjectRequest request = Requests.get(signer.get(KEY, "image/png", null, SOON));
    assertThat(signer.verify(request, SOON.minusNanos(1))).isInstanceOf(UrlVerdict.Granted.class);
    assertThat(signer.verify(request, SOON)).isEqualTo(new UrlVerdict.Expired(SOON));
    assertThat(signer.verify(request, SOON.plusSeconds(1_000_000)))
        .isEqualTo(new UrlVerdict.Expired(SOON));
  }

  @Test
  void only_a_good_url_learns_that_it_has_expired() {
    String url = signer.get(KEY, "image/png", null, SOON).uri().toString();
    assertRefused(Requests.get(url.replace("signature=", "signature=x")), SOON);
  }

  @Test
  void changing_any_character_spoils_the_url() {
    String url = signer.get(KEY, "image/png", "poster.png", SOON).uri().toString();
    int tried = 0;
    for (int i = 0; i < url.length(); i++) {
      for (char other : new char[] {'0', '1', 'A', 'b', '_', '/'}) {
        String changed = url.substring(0, i) + other + url.substring(i + 1);
        if (url.charAt(i) == other || url.charAt(i) == '%' || !changed.contains("?")) {
          continue;
        }
        boolean escaped = url.lastIndexOf('%', i) >= i - 2 && url.lastIndexOf('%', i) >= 0;
        if (escaped && !Character.isDigit(other)) {
          continue;
        }
        assertRefused(Requests.get(changed), NOW);
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(500);
  }

  @Test
  void no_other_text_of_the_same_signature_is_accepted() {
    ObjectRequest request = Requests.get(signer.get(KEY, "image/png", null, SOON));
    String signature = Requests.parameter(request, "signature");
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    String stem = signature.substring(0, signature.length() - 1);
    long accepted =
        alphabet
            .chars()
            .filter(last -> grants(with(request, "signature", stem + (char) last)))
            .count();
    assertThat(accepted).isEqualTo(1);
    assertRefused(with(request, "signature", signature + "="), NOW);
    assertRefused(with(request, "signature", ""), NOW);
    assertRefused(with(request, "signature", "ü".repeat(43)), NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "expires, 4102444800",
    "expires, 99999999999999999999",
    "expires, 0",
    "expires, -1",
    "expires, ''",
    "expires, 1e10",
    "expires, ' 1772366460'",
    "expires, 01772366460",
    "type, text/html",
    "type, IMAGE/PNG",
    "type, ''",
    "name, evil.exe",
    "name, ''",
    "signature, AAAA",
  })
  void a_changed_parameter_is_refused(String name, String value) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", "poster.png", SOON));
    assertThat(grants(good)).isTrue();
    assertRefused(with(good, name, value), NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"expires", "type", "name", "signature"})
  void a_missing_parameter_is_refused(String name) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", "poster.png", SOON));
    assertRefused(withQuery(good, name, List.of()), NOW);
    good.query().remove(name);
    assertRefused(good, NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"expires", "type", "name", "signature"})
  void a_repeated_parameter_is_refused_even_if_it_says_the_same(String name) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", "poster.png", SOON));
    String value = Requests.parameter(good, name);
    assertRefused(withQuery(good, name, List.of(value, value)), NOW);
    assertRefused(withQuery(good, name, List.of(value, "other")), NOW);
    assertRefused(withQuery(good, name, List.of("other", value)), NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"size", "download", "Expires", "key", "", "versionId"})
  void an_unsigned_parameter_is_refused(String name) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", null, SOON));
    assertRefused(with(good, name, "1"), NOW);
  }

  @Test
  void a_name_cannot_be_added_to_a_url_that_has_none() {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", null, SOON));
    assertRefused(with(good, "name", "poster.png"), NOW);
    assertRefused(with(good, "name", ""), NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "POST", "DELETE", "PATCH", "OPTIONS", "get", ""})
  void a_url_to_read_allows_nothing_else(String method) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", null, SOON));
    assertRefused(Requests.with(good, method), NOW);
  }

  @Test
  void a_url_to_read_also_allows_to_ask_for_its_headers() {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", null, SOON));
    assertThat(signer.verify(Requests.with(good, "HEAD"), NOW)).isEqualTo(signer.verify(good, NOW));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "DELETE", "put"})
  void a_url_to_write_allows_nothing_else(String method) {
    ObjectRequest good =
        Requests.put(signer.put(KEY, "image/png", 10, null, SOON), "image/png", 10);
    assertThat(grants(good)).isTrue();
    assertRefused(Requests.with(good, method), NOW);
    ObjectRequest reading = Requests.with(good, method);
    reading.query().remove("size");
    assertRefused(reading, NOW);
  }

  @Test
  void an_upload_must_be_what_was_agreed() {
    SignedUrl url = signer.put(KEY, "image/png", 10, null, SOON);
    assertRefused(Requests.put(url, "text/html", 10), NOW);
    assertRefused(Requests.put(url, "image/png; charset=utf-8", 10), NOW);
    assertRefused(Requests.put(url, "image/png", 9), NOW);
    assertRefused(Requests.put(url, "image/png", 11), NOW);
    assertRefused(Requests.put(url, "image/png", ObjectRequest.UNKNOWN_LENGTH), NOW);
    ObjectRequest good = Requests.put(url, "image/png", 10);
    assertRefused(
        new ObjectRequest("PUT", good.path(), good.query(), null, good.contentLength()), NOW);
    assertRefused(with(Requests.put(url, "image/png", 11), "size", "11"), NOW);
    assertRefused(with(Requests.put(url, "text/html", 10), "type", "text/html"), NOW);
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.storage.Hostile#keys")
  void a_hostile_path_is_refused_and_never_signed(String key) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", null, SOON));
    for (String path : List.of("/objects/" + key, "/objects/" + key + "/", key)) {
      assertRefused(new ObjectRequest("GET", path, good.query(), null, -1), NOW);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> signer.get(key, "image/png", null, SOON));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/OBJECTS/", "/object/", "//objects/", "/objects//", "/api/objects/", ""})
  void a_good_key_under_another_path_is_refused(String prefix) {
    ObjectRequest good = Requests.get(signer.get(KEY, "image/png", null, SOON));
    assertRefused(new ObjectRequest("GET", prefix + KEY, good.query(), null, -1), NOW);
  }

  @Test
  void what_a_header_could_not_carry_is_never_signed() {
    for (String name : List.of("", "a\nb", "a\0b", "\ud800", "a".repeat(256))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> signer.get(KEY, "image/png", name, SOON));
    }
    for (String type : List.of("", "png", "image/png\r\nX: y", "image/png; a=b", "Image/PNG")) {
      assertThatIllegalArgumentException().isThrownBy(() -> signer.get(KEY, type, null, SOON));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signer.put(KEY, "image/png", -1, null, SOON));
  }

  @Test
  void after_a_rotation_old_urls_live_on_until_the_next() {
    ObjectRequest old = Requests.get(signer.get(KEY, "image/png", null, SOON));
    UrlSigner rotated = new UrlSigner(SigningKeys.of(key(2), key(1)));
    UrlSigner rotatedTwice = new UrlSigner(SigningKeys.of(key(3), key(2)));
    assertThat(rotated.verify(old, NOW)).isInstanceOf(UrlVerdict.Granted.class);
    assertThat(rotatedTwice.verify(old, NOW)).isInstanceOf(UrlVerdict.Refused.class);

    ObjectRequest fresh = Requests.get(rotated.get(KEY, "image/png", null, SOON));
    assertThat(signer.verify(fresh, NOW)).isInstanceOf(UrlVerdict.Refused.class);
    assertThat(rotatedTwice.verify(fresh, NOW)).isInstanceOf(UrlVerdict.Granted.class);
  }

  private boolean grants(ObjectRequest request) {
    return signer.verify(request, NOW) instanceof UrlVerdict.Granted;
  }

  private void assertRefused(ObjectRequest request, Instant now) {
    assertThat(signer.verify(request, now))
        .describedAs("%s", request)
        .isInstanceOf(UrlVerdict.Refused.class);
  }

  private static ObjectRequest with(ObjectRequest request, String name, String value) {
    return withQuery(request, name, List.of(value));
  }

  private static ObjectRequest withQuery(ObjectRequest request, String name, List<String> values) {
    Map<String, List<String>> query = new LinkedHashMap<>(request.query());
    query.put(name, values);
    return new ObjectRequest(
        request.method(), request.path(), query, request.contentType(), request.contentLength());
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[SigningKeys.BYTES];
    Arrays.fill(key, (byte) fill);
    return key;
  }
}
