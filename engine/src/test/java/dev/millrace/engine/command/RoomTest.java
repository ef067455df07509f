package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.port.Transaction.Caps;
import dev.millrace.engine.port.Transaction.Full;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A tenant or an effect is full at its cap, not before and not after. */
class RoomTest {

  private final Bench bench = Bench.withCredits(100);
  private final Job job = bench.submit(new Order());
  private final int tenant = job.id().tenant();
  private final int effect = job.terms().effectId();

  @Test
  void without_caps_everything_has_room() {
    CapRoom room = new CapRoom(Caps.NONE);
    room.take(job);
    assertThat(room.takes(job)).isTrue();
    assertThat(room.full()).isEqualTo(Full.NONE);
  }

  @Test
  void a_tenant_is_full_at_exactly_its_cap() {
    CapRoom room = new CapRoom(new Caps(2, Map.of(), Map.of(tenant, 1), Map.of()));
    assertThat(room.takes(job)).isTrue();
    assertThat(room.full()).isEqualTo(Full.NONE);
    room.take(job);
    assertThat(room.takes(job)).isFalse();
    assertThat(room.full()).isEqualTo(new Full(Set.of(tenant), Set.of()));
  }

  @Test
  void an_effect_is_full_at_exactly_its_cap_also_if_nothing_of_it_ran_before() {
    CapRoom room = new CapRoom(new Caps(0, Map.of(effect, 1, 99, 5), Map.of(), Map.of(99, 4)));
    assertThat(room.takes(job)).isTrue();
    room.take(job);
    assertThat(room.takes(job)).isFalse();
    assertThat(room.full()).isEqualTo(new Full(Set.of(), Set.of(effect)));
  }

  @Test
  void an_effect_with_a_cap_of_none_is_always_full() {
    CapRoom room = new CapRoom(new Caps(0, Map.of(effect, 0), Map.of(), Map.of()));
    assertThat(room.takes(job)).isFalse();
    assertThat(room.full()).isEqualTo(new Full(Set.of(), Set.of(effect)));
  }

  @Test
  void what_runs_of_another_tenant_takes_no_room() {
    CapRoom room = new CapRoom(new Caps(1, Map.of(), Map.of(tenant + 1, 7), Map.of()));
    assertThat(room.takes(job)).isTrue();
    assertThat(room.full().tenants()).containsExactly(tenant + 1);
  }
}
