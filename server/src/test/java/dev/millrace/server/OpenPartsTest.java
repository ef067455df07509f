package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.OpenParts.Phase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenPartsTest {

  private static final Duration LONG = Duration.ofSeconds(50);

  private final OpenParts parts = new OpenParts();
  private final List<String> closed = new CopyOnWriteArrayList<>();

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }

  @Test
  void what_serves_is_closed_before_what_it_uses() {
    parts.add(Phase.EMBEDDED, part("embedded"));
    parts.add(Phase.DATABASE, part("database"));
    parts.add(Phase.SERVING, part("http"));
    parts.add(Phase.ENGINE, part("engine"));

    parts.close(LONG);

    assertThat(closed).containsExactly("http", "engine", "database", "embedded");
  }

  @Test
  void parts_that_do_not_need_each_other_are_closed_at_the_same_time() {
    CyclicBarrier both = new CyclicBarrier(2);
    for (int i = 0; i < 2; i++) {
      parts.add(Phase.SERVING, () -> closed.add("" + both.await(30, TimeUnit.SECONDS)));
    }

    parts.close(LONG);

    assertThat(closed).containsExactlyInAnyOrder("0", "1");
  }

  @Test
  void a_part_that_hangs_keeps_no_later_phase_from_being_closed() {
    CountDownLatch never = new CountDownLatch(1);
    parts.add(Phase.SERVING, () -> closed.add("" + never.await(1, TimeUnit.HOURS)));
    parts.add(Phase.SERVING, part("beside"));
    parts.add(Phase.DATABASE, part("database"));

    parts.close(Duration.ZERO);

    assertThat(closed).containsExactly("beside", "database");
    never.countDown();
  }

  @Test
  void the_database_has_its_time_however_long_the_others_took() {
    CountDownLatch never = new CountDownLatch(1);
    List<Duration> limits = new CopyOnWriteArrayList<>();
    parts.add(Phase.SERVING, () -> closed.add("" + never.await(1, TimeUnit.HOURS)));
    parts.addPart(Phase.EMBEDDED, limits::add);

    parts.close(OpenParts.AFTER_SERVING.plusSeconds(1));

    assertThat(limits)
        .singleElement()
        .satisfies(left -> assertThat(left).isGreaterThanOrEqualTo(Duration.ofSeconds(6)));
    never.countDown();
  }

  @Test
  void an_interrupt_of_the_caller_reaches_no_part() {
    parts.add(Phase.EMBEDDED, () -> closed.add("" + Thread.currentThread().isInterrupted()));

    Thread.currentThread().interrupt();
    parts.close(LONG);

    assertThat(Thread.interrupted()).as("the caller keeps it").isTrue();
    assertThat(closed).containsExactly("false");
  }

  @Test
  void a_part_that_fails_is_told_of_when_all_are_closed() {
    parts.add(Phase.DATABASE, part("database"));
    parts.add(
        Phase.SERVING,
        () -> {
          throw new IllegalArgumentException("broken");
        });

    assertThatThrownBy(() -> parts.close(LONG)).hasRootCauseMessage("broken");

    assertThat(closed).containsExactly("database");
  }

  @Test
  void the_parts_have_less_time_than_the_process() {
    StopTimes usual = StopTimes.of(Duration.ofSeconds(35));
    assertThat(usual.all()).isEqualTo(Duration.ofSeconds(35));
    assertThat(usual.parts()).isLessThan(usual.all());
    assertThat(usual.requests().plus(OpenParts.AFTER_SERVING)).isLessThanOrEqualTo(usual.parts());

    StopTimes brief = StopTimes.of(Duration.ofSeconds(1));
    assertThat(brief.requests()).isEqualTo(Duration.ofSeconds(1));
    assertThat(brief.parts()).isGreaterThan(OpenParts.AFTER_SERVING);
  }
}
