package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.millrace.storage.PartedUploads.Finish;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The laws of objects that come in parts, by HTTP to whoever takes the parts. */
abstract class PartedUploadConformanceTest extends SignedUrlConformanceTest {

  private static final int PART = 5 << 20;
  private static final byte[] WHOLE = randomBytes(PART + 1_000);
  private static final PartPlan PLAN = new PartPlan(WHOLE.length, PART);
  private static final Duration WHILE = Duration.ofMinutes(5);

  /** Amazon refuses a part of what is over with a 404; some stores take it, and forget it. */
  private static final List<Integer> LATE = List.of(404, 200);

  private static final String NO_TAG = "\"d41d8cd98f00b204e9800998ecf8427e\"";

  /** What is left of uploads that weren't finished, in the store's own words. */
  protected abstract List<String> unfinished() throws IOException;

  @Test
  void parts_become_one_object_when_all_are_there() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    String second = tag(put(key, id, 2));
    assertThat(store().size(key)).isEmpty();
    String first = tag(put(key, id, 1));
    assertThat(store().size(key)).isEmpty();
    assertThat(store().list(key.substring(0, key.lastIndexOf('/') + 1), 10)).isEmpty();

    assertThat(parts().finish(key, id, List.of(first, second))).isEqualTo(Finish.DONE);

    assertThat(store().stat(key)).contains(new ObjectStat(WHOLE.length, sha256(WHOLE)));
    assertThat(store().verify(key, WHOLE.length, sha256(WHOLE))).isEqualTo(ObjectCheck.INTACT);
    assertThat(store().verify(key, WHOLE.length, sha256(new byte[1])))
        .isEqualTo(ObjectCheck.WRONG_CHECKSUM);
    assertThat(isLeftOf(key)).isFalse();
  }

  @Test
  void to_finish_again_after_a_lost_answer_is_harmless() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    List<String> tags = all(key, id);
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.DONE);
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.DONE);
    parts().abort(key, id);
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.DONE);
    assertThat(store().verify(key, WHOLE.length, sha256(WHOLE))).isEqualTo(ObjectCheck.INTACT);
  }

  @RepeatedTest(10)
  void many_who_finish_at_once_make_one_object() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    List<String> tags = all(key, id);
    List<Future<Finish>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        answers.add(threads.submit(() -> parts().finish(key, id, tags)));
      }
    }
    for (Future<Finish> answer : answers) {
      assertThat(answer.get()).isEqualTo(Finish.DONE);
    }
    assertThat(store().verify(key, WHOLE.length, sha256(WHOLE))).isEqualTo(ObjectCheck.INTACT);
  }

  @Test
  void tags_do_as_well_without_their_quotes() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    List<String> bare = all(key, id).stream().map(tag -> tag.replace("\"", "")).toList();
    assertThat(parts().finish(key, id, bare)).isEqualTo(Finish.DONE);
  }

  @Test
  void a_missing_part_can_still_be_put() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    String first = tag(put(key, id, 1));
    assertThat(parts().finish(key, id, List.of(first, NO_TAG))).isEqualTo(Finish.PARTS_DIFFER);
    assertThat(store().size(key)).isEmpty();
    String second = tag(put(key, id, 2));
    assertThat(parts().finish(key, id, List.of(first, second))).isEqualTo(Finish.DONE);
  }

  @Test
  void a_part_that_is_not_the_named_one_is_not_taken() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    List<String> tags = all(key, id);
    assertThat(parts().finish(key, id, List.of(tags.get(0), NO_TAG)))
        .isEqualTo(Finish.PARTS_DIFFER);
    assertThat(parts().finish(key, id, List.of(tags.get(1), tags.get(0))))
        .isEqualTo(Finish.PARTS_DIFFER);
    assertThat(store().size(key)).isEmpty();
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.DONE);
  }

  @Test
  void a_part_that_is_put_again_replaces_the_one_before() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    SignedUrl url = url(key, id, 1);
    String wrong = tag(put(url, new byte[PART]));
    List<String> tags = all(key, id);
    assertThat(wrong).isNotEqualTo(tags.get(0));
    assertThat(parts().finish(key, id, List.of(wrong, tags.get(1)))).isEqualTo(Finish.PARTS_DIFFER);
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.DONE);
    assertThat(store().verify(key, WHOLE.length, sha256(WHOLE))).isEqualTo(ObjectCheck.INTACT);
    assertThat(put(url, new byte[PART]).statusCode()).isIn(LATE);
    assertThat(store().verify(key, WHOLE.length, sha256(WHOLE))).isEqualTo(ObjectCheck.INTACT);
  }

  @Test
  void a_part_that_is_larger_or_smaller_than_agreed_is_refused() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    SignedUrl url = url(key, id, 2);
    for (int size : new int[] {0, 999, 1_001, 100_000}) {
      assertThat(put(url, new byte[size]).statusCode())
          .as("%d bytes", size)
          .isIn(400, 403, 411, 413);
    }
    String first = tag(put(key, id, 1));
    assertThat(parts().finish(key, id, List.of(first, NO_TAG))).isEqualTo(Finish.PARTS_DIFFER);
  }

  @Test
  void an_expired_url_takes_no_part() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    SignedUrl url = parts().signedPut(new PartAddress(key, id, 2), 1_000, Duration.ofSeconds(1));
    assertThat(url.method()).isEqualTo("PUT");
    await().pollInterval(Duration.ofMillis(200)).until(() -> put(url, part(2)).statusCode() == 403);
  }

  @Test
  void a_url_that_was_changed_takes_no_part() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    String other = newKey();
    String otherId = parts().begin(other, "image/png");
    SignedUrl honest = url(key, id, 2);
    String url = honest.uri().toString();
    for (String changed :
        List.of(
            url.replace(key, other),
            url.replace(id, otherId),
            url.replaceAll("(?i)(part(?:number)?=)2", "$11"),
            url.replaceAll("(?i)(expires=)", "$19"),
            url.replaceAll("(?i)part(?:number)?=2&", ""))) {
      assertThat(changed).isNotEqualTo(url);
      SignedUrl forged =
          new SignedUrl(URI.create(changed), "PUT", honest.headers(), honest.expiresAt());
      assertThat(put(forged, part(2)).statusCode()).as(changed).isIn(400, 403);
    }
    HttpRequest get = HttpRequest.newBuilder(absolute(honest.uri())).GET().build();
    assertThat(http.send(get, BodyHandlers.discarding()).statusCode()).isIn(400, 403);
    assertThat(put(honest, part(2)).statusCode()).isEqualTo(200);
  }

  @Test
  void an_upload_belongs_to_its_key() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    List<String> tags = all(key, id);
    String other = newKey();
    assertThat(parts().finish(other, id, tags)).isEqualTo(Finish.UNKNOWN);
    assertThat(store().size(other)).isEmpty();
    assertThat(parts().finish(key, UUID.randomUUID().toString(), tags)).isEqualTo(Finish.UNKNOWN);
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.DONE);
  }

  @Test
  void what_is_given_up_leaves_nothing() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    SignedUrl url = url(key, id, 2);
    List<String> tags = all(key, id);
    assertThat(isLeftOf(key)).isTrue();

    parts().abort(key, id);

    assertThat(isLeftOf(key)).isFalse();
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.UNKNOWN);
    assertThat(put(url, part(2)).statusCode()).isIn(LATE);
    parts().abort(key, id);
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.UNKNOWN);
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void what_an_attempt_left_unfinished_goes_with_its_prefix() throws Exception {
    String key = ObjectKeys.output("acme", "parted", 1, UUID.randomUUID(), MediaType.PNG);
    String beside = ObjectKeys.output("acme", "parted", 2, UUID.randomUUID(), MediaType.PNG);
    String id = parts().begin(key, "image/png");
    all(key, id);
    String kept = parts().begin(beside, "image/png");
    List<String> tags = all(beside, kept);

    store().deletePrefix(ObjectKeys.attemptPrefix("acme", "parted", 1));

    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.UNKNOWN);
    assertThat(parts().finish(beside, kept, tags)).isEqualTo(Finish.DONE);
  }

  @Test
  void only_old_uploads_are_abandoned() throws Exception {
    String key = newKey();
    String id = parts().begin(key, "image/png");
    List<String> tags = all(key, id);
    assertThat(parts().abandon(Duration.ofHours(1))).isZero();
    assertThat(isLeftOf(key)).isTrue();
    assertThat(parts().abandon(Duration.ofSeconds(-5))).isPositive();
    assertThat(isLeftOf(key)).isFalse();
    assertThat(parts().finish(key, id, tags)).isEqualTo(Finish.UNKNOWN);
  }

  @Test
  void no_upload_begins_under_a_key_that_the_server_would_not_make() {
    for (String key : List.of("", "../x", "tenants/acme/uploads/x.png")) {
      assertThatIllegalArgumentException().isThrownBy(() -> parts().begin(key, "image/png"));
      assertThatIllegalArgumentException().isThrownBy(() -> parts().abort(key, "x"));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parts().finish(key, "x", List.of(NO_TAG)));
    }
  }

  private boolean isLeftOf(String key) throws IOException {
    return unfinished().stream().anyMatch(name -> name.contains(key));
  }

  private PartedUploads parts() {
    return store().parts();
  }

  private SignedUrl url(String key, String id, int number) {
    return parts().signedPut(new PartAddress(key, id, number), PLAN.sizeOf(number), WHILE);
  }

  private List<String> all(String key, String id) throws Exception {
    return List.of(tag(put(key, id, 1)), tag(put(key, id, 2)));
  }

  private HttpResponse<byte[]> put(String key, String id, int number) throws Exception {
    return put(url(key, id, number), part(number));
  }

  private HttpResponse<byte[]> put(SignedUrl url, byte[] bytes) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(absolute(url.uri())).PUT(BodyPublishers.ofByteArray(bytes));
    for (Map.Entry<String, String> header : sendable(url).entrySet()) {
      request.header(header.getKey(), header.getValue());
    }
    return sendAlone(request.build());
  }

  private static byte[] part(int number) {
    int from = (number - 1) * PART;
    return Arrays.copyOfRange(WHOLE, from, Math.toIntExact(from + PLAN.sizeOf(number)));
  }

  private static String tag(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.headers().firstValue("ETag").orElseThrow();
  }
}
