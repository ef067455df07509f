package dev.millrace.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of every object store. A store's own test extends this and says how to make one. */
public abstract class ObjectStoreConformanceTest extends PartedUploadConformanceTest {

  @Test
  void what_was_put_can_be_read_back() throws IOException {
    byte[] bytes = randomBytes(300_000);
    String key = newKey();

    StoredObject stored = put(key, bytes);

    assertThat(stored).isEqualTo(new StoredObject(key, 300_000, sha256(bytes), "image/png"));
    assertThat(read(key)).isEqualTo(bytes);
    assertThat(store().size(key)).hasValue(300_000);
    assertThat(store().stat(key)).contains(new ObjectStat(300_000, sha256(bytes)));
  }

  @Test
  void what_is_larger_than_any_buffer_can_be_read_back_too() throws IOException {
    byte[] bytes = randomBytes(20_000_001);
    String key = newKey();

    StoredObject stored = put(key, bytes);

    assertThat(stored.sha256()).isEqualTo(sha256(bytes));
    assertThat(store().verify(key, bytes.length, sha256(bytes))).isEqualTo(ObjectCheck.INTACT);
    assertThat(store().verify(key, bytes.length, sha256(new byte[1])))
        .isEqualTo(ObjectCheck.WRONG_CHECKSUM);
    assertThat(readPart(key, 16_777_210, 10).length()).isPositive();
    assertThatThrownBy(() -> put(key, bytes))
        .isInstanceOf(ObjectStoreException.AlreadyExists.class);
  }

  @Test
  void a_large_write_that_fails_leaves_nothing() {
    String key = newKey();
    assertThatThrownBy(() -> put(key, randomBytes(20_000_001), 20_000_000))
        .isInstanceOf(ObjectStoreException.TooLarge.class);
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void a_store_that_works_says_so() {
    store().check();
    assertThat(store().inWords()).isNotBlank();
  }

  @Test
  void an_empty_object_is_an_object() throws IOException {
    String key = newKey();
    put(key, new byte[0]);
    assertThat(store().size(key)).hasValue(0);
    assertThat(read(key)).isEmpty();
  }

  @Test
  void a_writer_may_write_byte_by_byte_and_close() throws IOException {
    String key = newKey();
    StoredObject stored =
        store()
            .put(
                key,
                "text/plain",
                out -> {
                  for (byte b : "water".getBytes(UTF_8)) {
                    out.write(b);
                  }
                  out.flush();
                  out.close();
                },
                100);
    assertThat(stored.sha256()).isEqualTo(sha256("water".getBytes(UTF_8)));
    assertThat(read(key)).isEqualTo("water".getBytes(UTF_8));
  }

  @Test
  void a_part_can_be_read() throws IOException {
    String key = newKey();
    put(key, "0123456789".getBytes(UTF_8));
    assertThat(readPart(key, 0, 3)).isEqualTo("012");
    assertThat(readPart(key, 3, 4)).isEqualTo("3456");
    assertThat(readPart(key, 8, 100)).isEqualTo("89");
    assertThat(readPart(key, 8, Long.MAX_VALUE)).isEqualTo("89");
    assertThat(readPart(key, 10, 1)).isEmpty();
    assertThat(readPart(key, 99, 1)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> store().open(key, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> store().open(key, 0, -1));
  }

  @Test
  void a_part_knows_the_size_of_the_whole() throws IOException {
    String key = newKey();
    put(key, "0123456789".getBytes(UTF_8));
    try (ObjectStream part = store().open(key, 8, 5).orElseThrow()) {
      assertThat(part.size()).isEqualTo(10);
      assertThat(part.offset()).isEqualTo(8);
      assertThat(part.length()).isEqualTo(2);
      assertThat(part.stream().skip(1)).isEqualTo(1);
      assertThat(part.stream().read()).isEqualTo('9');
      assertThat(part.stream().read()).isEqualTo(-1);
    }
  }

  @Test
  void a_missing_object_is_absent_and_not_an_error() {
    String key = newKey();
    assertThat(store().open(key)).isEmpty();
    assertThat(store().size(key)).isEmpty();
    assertThat(store().stat(key)).isEmpty();
    assertThat(store().delete(key)).isFalse();
    assertThat(store().list(ObjectKeys.jobPrefix("nobody", "nothing"), 10)).isEmpty();
    assertThat(store().deletePrefix(ObjectKeys.jobPrefix("nobody", "nothing"))).isZero();
  }

  @Test
  void an_object_never_changes() throws IOException {
    String key = newKey();
    put(key, "first".getBytes(UTF_8));
    assertThatThrownBy(() -> put(key, "second".getBytes(UTF_8)))
        .isInstanceOf(ObjectStoreException.AlreadyExists.class);
    assertThat(read(key)).isEqualTo("first".getBytes(UTF_8));
  }

  @Test
  void of_many_writers_of_one_key_exactly_one_wins() throws Exception {
    String key = newKey();
    AtomicInteger winners = new AtomicInteger();
    List<Future<?>> writers = new ArrayList<>();
    CountDownLatch allWriting = new CountDownLatch(8);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        byte[] bytes = ("writer " + i).repeat(1000).getBytes(UTF_8);
        writers.add(
            threads.submit(() -> {
              try {
                store()
                    .put(
                        key,
                        "image/png",
                        out -> {
                          allWriting.countDown();
                          await(allWriting);
                          out.write(bytes);
                        },
                        bytes.length);
                winners.incrementAndGet();
                assertThat(read(key)).isEqualTo(bytes);
              } catch (ObjectStoreException.AlreadyExists _) {
                assertThat(store().size(key)).hasValue(bytes.length);
              }
              return null;
            }));
      }
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    assertThat(winners).hasValue(1);
  }

  @Test
  void an_object_is_invisible_until_it_is_whole() throws IOException {
    String key = newKey();
    store()
        .put(
            key,
            "image/png",
            out -> {
              out.write(randomBytes(100_000));
              out.flush();
              assertThat(store().open(key)).isEmpty();
              assertThat(store().list(prefixOf(key), 10)).isEmpty();
            },
            100_000);
    assertThat(store().size(key)).hasValue(100_000);
  }

  @Test
  void a_writer_that_throws_leaves_nothing_and_its_exception_passes() {
    for (Exception thrown :
        List.of(new AccessDeniedException("source"), new IllegalStateException("bug"))) {
      String key = newKey();
      assertThatThrownBy(() ->
              store()
                  .put(
                      key,
                      "image/png",
                      out -> {
                        out.write(randomBytes(100_000));
                        switch (thrown) {
                          case IOException e -> throw e;
                          case RuntimeException e -> throw e;
                          default -> throw new AssertionError(thrown);
                        }
                      },
                      1_000_000))
          .isSameAs(thrown);
      assertThat(store().open(key)).isEmpty();
      assertThat(store().list(prefixOf(key), 10)).isEmpty();
    }
  }

  @Test
  void what_is_too_large_is_cut_off_and_not_stored() throws IOException {
    put(newKey(), randomBytes(100), 100);
    String key = newKey();
    AtomicInteger written = new AtomicInteger();
    assertThatThrownBy(() ->
            store()
                .put(
                    key,
                    "image/png",
                    out -> {
                      while (true) {
                        out.write(new byte[10]);
                        written.addAndGet(10);
                      }
                    },
                    105))
        .isInstanceOf(ObjectStoreException.TooLarge.class);
    assertThat(written).hasValue(100);
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void a_writer_that_swallows_the_refusal_gets_no_object() {
    String key = newKey();
    ObjectWriter stubborn =
        out -> {
          out.write('a');
          try {
            out.write(new byte[1000]);
          } catch (ObjectStoreException.TooLarge _) {
            // Goes on as if nothing had happened.
          }
        };
    assertThatThrownBy(() -> store().put(key, "image/png", stubborn, 10))
        .isInstanceOf(ObjectStoreException.TooLarge.class);
    assertThat(store().size(key)).isEmpty();
  }

  @Test
  void verification_tells_what_is_wrong() throws IOException {
    byte[] bytes = randomBytes(1000);
    String key = newKey();
    put(key, bytes);
    assertThat(store().verify(key, 1000, sha256(bytes))).isEqualTo(ObjectCheck.INTACT);
    assertThat(store().verify(key, 999, sha256(bytes))).isEqualTo(ObjectCheck.WRONG_SIZE);
    assertThat(store().verify(key, 1000, sha256(new byte[1000])))
        .isEqualTo(ObjectCheck.WRONG_CHECKSUM);
    store().delete(key);
    assertThat(store().verify(key, 1000, sha256(bytes))).isEqualTo(ObjectCheck.MISSING);
  }

  @Test
  void deleting_twice_is_deleting_once() throws IOException {
    String key = newKey();
    put(key, randomBytes(10));
    assertThat(store().delete(key)).isTrue();
    assertThat(store().delete(key)).isFalse();
    assertThat(store().open(key)).isEmpty();
  }

  @Test
  void a_prefix_covers_its_job_and_no_other() throws IOException {
    String first = ObjectKeys.output("acme", "job-1", 1, UUID.randomUUID(), MediaType.PNG);
    String retried = ObjectKeys.output("acme", "job-1", 2, UUID.randomUUID(), MediaType.PNG);
    String later = ObjectKeys.output("acme", "job-1", 12, UUID.randomUUID(), MediaType.PNG);
    String similar = ObjectKeys.output("acme", "job-10", 1, UUID.randomUUID(), MediaType.PNG);
    String foreign = ObjectKeys.output("other", "job-1", 1, UUID.randomUUID(), MediaType.PNG);
    String upload = ObjectKeys.upload("acme", UUID.randomUUID(), MediaType.PNG);
    for (String key : List.of(first, retried, later, similar, foreign, upload)) {
      put(key, randomBytes(10));
    }

    String job = ObjectKeys.jobPrefix("acme", "job-1");
    assertThat(store().list(job, 10)).isSorted().containsExactlyInAnyOrder(first, retried, later);
    assertThat(store().list(job, 2)).hasSize(2);
    assertThat(store().deletePrefix(ObjectKeys.attemptPrefix("acme", "job-1", 1))).isEqualTo(1);
    assertThat(store().list(job, 10)).containsExactlyInAnyOrder(retried, later);
    assertThat(store().deletePrefix(job)).isEqualTo(2);
    assertThat(store().list(job, 10)).isEmpty();
    assertThat(List.of(similar, foreign, upload)).allMatch(key -> store().size(key).isPresent());
  }

  @Test
  void writing_survives_a_cleanup_beside_it() throws Exception {
    String prefix = ObjectKeys.jobPrefix("acme", "busy");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicInteger put = new AtomicInteger();
      Future<?> writer =
          threads.submit(() -> {
            for (int i = 0; i < 50; i++) {
              put(
                  ObjectKeys.output("acme", "busy", 1, UUID.randomUUID(), MediaType.PNG),
                  new byte[1]);
              put.incrementAndGet();
            }
            return null;
          });
      int deleted = 0;
      while (!writer.isDone()) {
        deleted += store().deletePrefix(prefix);
      }
      writer.get();
      deleted += store().deletePrefix(prefix);
      assertThat(deleted).isEqualTo(50).isEqualTo(put.get());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.storage.Hostile#keys")
  void a_key_that_the_server_would_not_make_is_refused_everywhere(String key) {
    assertThatIllegalArgumentException().isThrownBy(() -> put(key, new byte[1]));
    assertThatIllegalArgumentException().isThrownBy(() -> store().open(key));
    assertThatIllegalArgumentException().isThrownBy(() -> store().size(key));
    assertThatIllegalArgumentException().isThrownBy(() -> store().stat(key));
    assertThatIllegalArgumentException().isThrownBy(() -> store().delete(key));
    assertThatIllegalArgumentException().isThrownBy(() -> store().list(key, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> store().deletePrefix(key));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store().signedGet(key, "image/png", null, Duration.ofMinutes(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store().signedPut(key, "image/png", 1, null, Duration.ofMinutes(1)));
  }

  private StoredObject put(String key, byte[] bytes) throws IOException {
    return put(key, bytes, bytes.length);
  }

  private StoredObject put(String key, byte[] bytes, long maxBytes) throws IOException {
    return store().put(key, "image/png", new ByteArrayInputStream(bytes), maxBytes);
  }

  private byte[] read(String key) throws IOException {
    try (ObjectStream object = store().open(key).orElseThrow()) {
      return object.stream().readAllBytes();
    }
  }

  private String readPart(String key, long offset, long length) throws IOException {
    try (ObjectStream object = store().open(key, offset, length).orElseThrow()) {
      return new String(object.stream().readAllBytes(), UTF_8);
    }
  }

  private static String prefixOf(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
