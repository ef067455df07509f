package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes give out places of the same tenants in the same queue. Each caller has a wallet of its
 * own, so that nothing but the place itself makes one wait for the other.
 */
class ShareRacePgTest {

  private static final int CALLERS = 16;
  private static final int EACH = 4;
  private static final int COST = 5;

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  private Wallet.Owner caller(int number) {
    return new Wallet.Owner(number % 4 < 2 ? rig.acme() : rig.zenith(), "caller" + number);
  }

  private Engine node(int number) {
    return number % 2 == 0 ? rig.engine() : meeting.other();
  }

  @Test
  void who_wants_a_place_waits_for_who_takes_one() throws Exception {
    for (int number : List.of(0, 1, 4)) {
      rig.pay(caller(number), COST);
    }
    rig.submit(rig.order().by(caller(4)));
    SubmitJob first = rig.order().by(caller(0)).build();
    SubmitJob second = rig.order().by(caller(1)).build();
    meeting.of(new SubmitBatch(), first, () -> meeting.other().submit(second));
    assertThat(places(rig.acme())).containsExactly(0L, 5L, 10L);
    assertThat(finish(rig.acme())).isEqualTo(15);
  }

  @Test
  void places_are_given_out_as_if_one_after_the_other() throws Exception {
    Crowd.of(CALLERS, number -> () -> submit(number));
    for (int tenant : List.of(rig.acme(), rig.zenith())) {
      List<Long> expected = new ArrayList<>();
      for (long i = 0; i < CALLERS * EACH / 2; i++) {
        expected.add(i * COST);
      }
      assertThat(places(tenant)).isEqualTo(expected);
      assertThat(finish(tenant)).isEqualTo((long) CALLERS * EACH / 2 * COST);
    }
  }

  @Test
  void places_do_not_overlap_while_others_are_served() throws Exception {
    List<List<Leased>> leased =
        Crowd.of(2 * CALLERS, number -> () -> number < CALLERS ? submit(number) : lease(number));
    for (int tenant : List.of(rig.acme(), rig.zenith())) {
      List<Long> places = places(tenant);
      assertThat(places).hasSize(CALLERS * EACH / 2);
      for (int i = 1; i < places.size(); i++) {
        assertThat(places.get(i) - places.get(i - 1)).isGreaterThanOrEqualTo(COST);
      }
      assertThat(finish(tenant)).isEqualTo(places.getLast() + COST);
    }
    long most = -1;
    for (Leased one : leased.stream().flatMap(List::stream).toList()) {
      most =
          Math.max(
              most,
              Long.parseLong(
                  meeting.ask(
                      "select virtual_start from dispatch where job_id = '%s'"
                          .formatted(one.job().id().uuid()))));
    }
    assertThat(Long.parseLong(meeting.ask("select coalesce(max(served), -1) from queue")))
        .isEqualTo(most);
  }

  private List<Leased> submit(int number) throws InterruptedException {
    rig.pay(caller(number), COST * EACH);
    for (int i = 0; i < EACH; i++) {
      EngineRig.accepted(node(number).submit(rig.order().by(caller(number)).build()));
    }
    return List.of();
  }

  private List<Leased> lease(int number) throws InterruptedException {
    List<Leased> leased = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      leased.addAll(node(number).lease(rig.asking("w" + number, 2)));
    }
    return leased;
  }

  private List<Long> places(int tenant) {
    String places =
        meeting.ask(
            "select string_agg(virtual_start::text, ' ' order by virtual_start) from dispatch"
                + " where tenant_id = "
                + tenant);
    return Arrays.stream(places.split(" ", -1)).map(Long::valueOf).toList();
  }

  private long finish(int tenant) {
    return Long.parseLong(meeting.ask("select finish from share where tenant_id = " + tenant));
  }
}
