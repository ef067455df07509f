package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchResult.Excess;
import dev.millrace.providers.fetch.FetchResult.Gap;
import dev.millrace.providers.fetch.FetchResult.Phase;
import dev.millrace.providers.fetch.FetchResult.Stopped;
import dev.millrace.providers.fetch.FetchResult.TimedOut;
import dev.millrace.providers.fetch.FetchResult.TooLarge;
import dev.millrace.providers.fetch.FetchResult.Unreachable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the other side does, a fetch ends in time and in bounds. */
@Timeout(60)
class LimitsTest {

  private static final String HEAD = "HTTP/1.1 200 OK\r\n";
  private static final Duration MOMENT = Duration.ofMillis(300);
  private static final FetchLimits SMALL = FetchLimits.USUAL.withBodyBytes(1_000);

  private final Site site = new Site();
  private final FetchClient client = site.client();
  private final CountDownLatch pause = new CountDownLatch(1);

  @AfterEach
  void close() {
    pause.countDown();
    site.close();
  }

  @Test
  void a_server_that_never_answers_is_left() {
    site.on("/", (_, _) -> site.never());

    assertThat(fetch(FetchLimits.USUAL.withHeaders(MOMENT))).isEqualTo(new TimedOut(Phase.HEADERS));
  }

  @Test
  void headers_that_drip_are_left_although_every_read_is_short() {
    site.on("/", (_, out) -> drip(out, HEAD + "X-A: ", "a"));

    assertThat(fetch(FetchLimits.USUAL.withHeaders(MOMENT))).isEqualTo(new TimedOut(Phase.HEADERS));
  }

  @Test
  void answers_that_only_announce_an_answer_are_left() {
    site.on("/", (_, out) -> drip(out, "", "HTTP/1.1 102 Processing\r\n\r\n"));

    assertThat(fetch(FetchLimits.USUAL.withHeaders(MOMENT))).isEqualTo(new TimedOut(Phase.HEADERS));
  }

  @Test
  void a_body_that_stops_is_left() {
    site.on(
        "/",
        (_, out) -> {
          Site.write(out, HEAD + "Content-Length: 10\r\n\r\nabc");
          site.never();
        });

    assertThat(fetch(FetchLimits.USUAL.withIdle(MOMENT))).isEqualTo(new TimedOut(Phase.READ));
  }

  @Test
  void a_body_that_drips_is_left_when_the_whole_takes_too_long() {
    site.on("/", (_, out) -> drip(out, HEAD + "\r\n", "x"));

    assertThat(fetch(FetchLimits.USUAL.withTotal(MOMENT))).isEqualTo(new TimedOut(Phase.TOTAL));
  }

  @Test
  void a_name_that_takes_too_long_is_left() {
    FetchClient slow =
        new FetchClient(
            site.policy(),
            _ -> {
              try {
                pause.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              throw new java.net.UnknownHostException("late");
            });

    assertThat(
            slow.fetch(
                FetchRequest.get(site.url("/")).within(FetchLimits.USUAL.withConnect(MOMENT))))
        .isEqualTo(new TimedOut(Phase.NAME));
  }

  @Test
  void a_caller_who_does_not_want_it_any_more_is_heard_at_any_moment() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    AtomicBoolean stop = new AtomicBoolean();
    site.on(
        "/",
        (_, out) -> {
          Site.write(out, HEAD + "\r\nabc");
          asked.countDown();
          site.never();
        });
    Thread.ofVirtual()
        .start(() -> {
          await(asked);
          stop.set(true);
        });
    long start = System.nanoTime();

    assertThat(client.fetch(FetchRequest.get(site.url("/")).stopWhen(stop::get)))
        .isEqualTo(new Stopped());
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(15));
  }

  @Test
  void a_body_longer_than_allowed_is_refused_by_its_length_or_by_counting() {
    site.on("/", (_, out) -> Site.write(out, HEAD + "Content-Length: 1001\r\n\r\n"));
    assertThat(fetch(SMALL)).isEqualTo(new TooLarge(Excess.BODY));

    site.on("/", (_, out) -> Site.write(out, HEAD + "\r\n" + "x".repeat(1_001)));
    assertThat(fetch(SMALL)).isEqualTo(new TooLarge(Excess.BODY));

    site.on("/", (_, out) -> Site.write(out, HEAD + "\r\n" + "x".repeat(1_000)));
    assertThat(fetch(SMALL)).isInstanceOf(FetchResult.Fetched.class);
  }

  @Test
  void a_compressed_body_is_measured_as_it_unfolds() {
    site.on("/", (_, out) -> gzip(out, 2_000));
    assertThat(fetch(SMALL)).isEqualTo(new TooLarge(Excess.BODY));

    site.on("/", (_, out) -> gzip(out, 200 << 20));
    assertThat(fetch(FetchLimits.USUAL.withBodyBytes(1L << 40)))
        .isEqualTo(new TooLarge(Excess.COMPRESSION));
  }

  @Test
  void an_encoding_that_was_not_asked_for_is_refused() {
    for (String coding :
        new String[] {"br", "zstd", "gzip, gzip", "gzip\r\nContent-Encoding: br"}) {
      site.on(
          "/", (_, out) -> Site.write(out, HEAD + "Content-Encoding: " + coding + "\r\n\r\nxx"));

      assertThat(fetch(FetchLimits.USUAL)).as(coding).isEqualTo(new Unreachable(Gap.ENCODING));
    }
  }

  @Test
  void headers_are_bounded_in_length_and_number() {
    site.on("/", (_, out) -> Site.write(out, HEAD + "X: " + "x".repeat(20_000) + "\r\n\r\n"));
    assertThat(fetch(FetchLimits.USUAL)).isEqualTo(new TooLarge(Excess.HEADERS));

    site.on("/", (_, out) -> Site.write(out, HEAD + "X: y\r\n".repeat(1_000) + "\r\n"));
    assertThat(fetch(FetchLimits.USUAL)).isEqualTo(new TooLarge(Excess.HEADERS));

    site.on("/", (_, out) -> Site.write(out, HEAD + "X: y\r\n z".repeat(9_000) + "\r\n\r\n"));
    assertThat(fetch(FetchLimits.USUAL)).isEqualTo(new TooLarge(Excess.HEADERS));
  }

  @Test
  void what_is_not_http_or_breaks_off_is_told_as_broken() {
    for (String garbage :
        new String[] {
          "",
          "SSH-2.0-OpenSSH_9.6\r\n",
          "HTTP/1.1 abc\r\n\r\n",
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
          HEAD + "Content-Length: 10\r\n\r\nabc",
          HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc",
          HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
          HEAD + "Content-Encoding: gzip\r\n\r\nnot gzip"
        }) {
      site.on("/", (_, out) -> Site.write(out, garbage));

      assertThat(fetch(FetchLimits.USUAL)).as(garbage).isEqualTo(new Unreachable(Gap.BROKEN));
    }
  }

  @Test
  void nobody_there_is_told_as_such() {
    String url = site.url("/");
    site.close();

    assertThat(client.fetch(FetchRequest.get(url))).isEqualTo(new Unreachable(Gap.CONNECT));
    assertThat(
            new FetchClient(
                    site.policy(),
                    _ -> {
                      throw new java.net.UnknownHostException("nobody");
                    })
                .fetch(FetchRequest.get(url)))
        .isEqualTo(new Unreachable(Gap.NAME));
  }

  private FetchResult fetch(FetchLimits limits) {
    return client.fetch(FetchRequest.get(site.url("/")).within(limits));
  }

  /** A piece every ten milliseconds, until the other side has had enough. */
  private void drip(OutputStream out, String first, String piece)
      throws IOException, InterruptedException {
    Site.write(out, first);
    while (!pause.await(10, TimeUnit.MILLISECONDS)) {
      Site.write(out, piece);
    }
  }

  private static void gzip(OutputStream out, int bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      byte[] zeros = new byte[64 << 10];
      for (int left = bytes; left > 0; left -= zeros.length) {
        gzip.write(zeros, 0, Math.min(left, zeros.length));
      }
    }
    Site.write(out, HEAD + "Content-Encoding: gzip\r\n\r\n");
    out.write(packed.toByteArray());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
