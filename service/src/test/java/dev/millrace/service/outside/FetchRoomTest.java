package dev.millrace.service.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may fetch when there is not room for all. */
class FetchRoomTest {

  private static final FetchRoom.Payer ADA = new FetchRoom.Payer(1, 1);
  private static final FetchRoom.Payer BOB = new FetchRoom.Payer(1, 2);
  private static final FetchRoom.Payer EVE = new FetchRoom.Payer(2, 3);

  private final FetchRoom room = new FetchRoom(4);
  private final CountDownLatch all = new CountDownLatch(1);

  @AfterEach
  void end() {
    all.countDown();
  }

  /** A fetch that lasts until somebody ends it. */
  private final class Slow implements FetchRoom.Fetch {
    private final FetchRoom.Payer payer;
    private final int setbacks;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    private Slow(FetchRoom.Payer payer, int setbacks) {
      this.payer = payer;
      this.setbacks = setbacks;
    }

    @Override
    public FetchRoom.Payer payer() {
      return payer;
    }

    @Override
    public int setbacks() {
      return setbacks;
    }

    @Override
    public String name() {
      return "slow";
    }

    @Override
    public void run() {
      begun.countDown();
      try {
        while (all.getCount() > 0 && !over.await(10, TimeUnit.MILLISECONDS)) {
          Thread.onSpinWait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean hasBegun() {
      return begun.getCount() == 0;
    }
  }

  private Slow enter(FetchRoom.Payer payer, int setbacks) {
    Slow slow = new Slow(payer, setbacks);
    assertThat(room.enter(slow)).isTrue();
    return slow;
  }

  private List<Slow> enter(FetchRoom.Payer payer, int setbacks, int times) {
    return IntStream.range(0, times).mapToObj(_ -> enter(payer, setbacks)).toList();
  }

  @Test
  void one_payer_never_has_more_than_half_of_the_places() {
    enter(ADA, 0, 6);
    assertThat(room.standing()).isEqualTo(new FetchRoom.Standing(2, 4, 4));
    Slow bobs = enter(BOB, 0);
    await().until(bobs::hasBegun);
    assertThat(room.standing()).isEqualTo(new FetchRoom.Standing(3, 4, 4));
  }

  @Test
  void what_was_put_off_before_never_has_more_than_half_of_the_places_whoever_pays() {
    enter(ADA, 1);
    enter(BOB, 2);
    Slow eves = enter(EVE, 1);
    assertThat(room.standing()).isEqualTo(new FetchRoom.Standing(2, 4, 1));
    Slow first = enter(EVE, 0);
    await().until(first::hasBegun);
    assertThat(eves.hasBegun()).isFalse();
  }

  @Test
  void next_is_the_tenant_with_the_fewest_under_way_and_then_what_failed_less_often() {
    List<Slow> adas = enter(ADA, 0, 2);
    List<Slow> bobs = enter(BOB, 0, 2);
    Slow again = enter(ADA, 3);
    Slow fresh = enter(ADA, 0);
    Slow eves = enter(EVE, 0);
    adas.getFirst().over.countDown();
    await().until(eves::hasBegun);
    adas.getLast().over.countDown();
    await().until(fresh::hasBegun);
    assertThat(again.hasBegun()).isFalse();
    bobs.getFirst().over.countDown();
    await().until(again::hasBegun);
  }

  @Test
  void who_leaves_while_he_waits_never_begins_and_who_has_begun_can_not_leave() {
    List<Slow> adas = enter(ADA, 0, 3);
    await().until(adas.getFirst()::hasBegun);
    assertThat(room.leave(adas.getLast())).isTrue();
    assertThat(room.leave(adas.getFirst())).isFalse();
    adas.getFirst().over.countDown();
    await().until(() -> room.standing().equals(new FetchRoom.Standing(1, 4, 0)));
    assertThat(adas.getLast().hasBegun()).isFalse();
  }

  @Test
  void one_payer_can_not_fill_the_waiting_room() {
    enter(ADA, 0, 2 + 16);
    assertThat(room.enter(new Slow(ADA, 0))).isFalse();
    enter(BOB, 0, 2 + 16);
    assertThat(room.enter(new Slow(EVE, 0))).as("it is full").isFalse();
    assertThat(room.close()).hasSize(32);
    assertThat(room.enter(new Slow(EVE, 0))).as("it is closed").isFalse();
  }
}
