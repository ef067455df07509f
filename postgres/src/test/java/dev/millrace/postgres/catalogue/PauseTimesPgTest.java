package dev.millrace.postgres.catalogue;

import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.doctor.Checkups;
import dev.millrace.postgres.tenants.Audit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When something was paused, resumed, counted or checked; and nothing else was. */
class PauseTimesPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final Pauses pauses = new Pauses(rows.jdbi());
  private final EffectTimings timings = new EffectTimings(rows.jdbi());
  private final Checkups checkups = new Checkups(rows.jdbi());

  private static Audit.Line line(Pauses.Kind kind) {
    String slug = kind == Pauses.Kind.EFFECT ? "e2" : "w2";
    return new Audit.Line(TENANT, "key:a", "pause", slug, null);
  }

  private String times(Pauses.Kind kind) {
    return rows.ask(
        "select slug, paused_at, resumed_at from %s where coalesce(paused_at, resumed_at) is not null"
            .formatted(kind == Pauses.Kind.EFFECT ? "effect" : "workflow"));
  }

  @ParameterizedTest
  @EnumSource
  void one_thing_is_paused_since_the_first_time_until_it_is_resumed(Pauses.Kind kind) {
    String slug = line(kind).target();
    pauses.pause(kind, line(kind));
    rows.clock(in(1));
    assertThat(pauses.pause(kind, line(kind)).orElseThrow().pausedAt()).isEqualTo(NOW);
    assertThat(times(kind)).isEqualTo(slug + ",2026-03-01 12:00:00+00,");
    pauses.resume(kind, line(kind));
    assertThat(times(kind)).isEqualTo(slug + ",,2026-03-01 12:00:01+00");
    rows.clock(in(2));
    pauses.resume(kind, line(kind));
    assertThat(times(kind)).isEqualTo(slug + ",,2026-03-01 12:00:01+00");
  }

  @Test
  void an_effect_waits_for_its_own_sake_or_for_its_workflows() {
    rows.execute("update effect set paused_at = '%s' where slug = 'e1'".formatted(NOW));
    rows.execute("update workflow set paused_at = '%s' where slug = 'w2'".formatted(NOW));
    assertThat(pauses.effects()).containsExactlyInAnyOrder("e1", "e3", "e4");
  }

  @Test
  void what_was_observed_is_put_to_what_is_known_of_the_same_effect() {
    timings.add(1, 3.0, before -> List.of(before.size() + 1.0));
    timings.add(2, 4.0, before -> List.of(before.size() + 5.0));
    rows.clock(in(1));
    timings.add(1, 7.0, before -> List.of(before.getFirst() * 10));
    assertThat(timings.all().get(1)).isEqualTo(new EffectTimings.Timing(7.0, List.of(10.0)));
    assertThat(timings.all().get(2)).isEqualTo(new EffectTimings.Timing(4.0, List.of(5.0)));
    assertThat(rows.ask("select changed_at from effect_timing order by effect_id"))
        .isEqualTo("2026-03-01 12:00:01+00 | 2026-03-01 12:00:00+00");
  }

  /** Two nodes that add at once must not lose what the other one saw. */
  @Test
  void who_adds_waits_for_whoever_adds_to_the_same_effect() throws Exception {
    timings.add(1, 1.0, _ -> List.of(1.0));
    Thread other =
        rows.commitWhenSomebodyWaits("update effect_timing set counts = '{5}' where effect_id = 1");
    new EffectTimings(rows.otherSessions()).add(1, 2.0, before -> List.of(before.getFirst() + 1));
    other.join();
    assertThat(timings.all()).containsEntry(1, new EffectTimings.Timing(2.0, List.of(6.0)));
  }

  @Test
  void what_ended_well_is_counted_by_the_minute_and_forgotten_after_a_quarter_of_an_hour() {
    long minute = NOW.getEpochSecond() / 60;
    timings.completed(1, 2);
    timings.completed(1, 3);
    timings.completed(2, 1);
    assertThat(rows.ask("select workflow_id, minute, completed from throughput order by 1"))
        .isEqualTo("1,%1$d,5 | 2,%1$d,1".formatted(minute));
    rows.clock(NOW.plus(Duration.ofMinutes(15)));
    timings.completed(3, 1);
    assertThat(rows.ask("select count(*) from throughput")).isEqualTo("3");
    rows.clock(NOW.plus(Duration.ofMinutes(16)));
    timings.completed(3, 1);
    assertThat(rows.ask("select count(*) from throughput")).isEqualTo("2");
  }

  @Test
  void a_checkup_is_somebodys_turn_when_the_pause_is_over_and_is_told_when_it_has_ended() {
    rows.row("checkup", "began_at", ago(60));
    assertThat(checkups.last()).isEmpty();
    assertThat(checkups.begin(Duration.ofSeconds(61))).isFalse();
    assertThat(checkups.begin(Duration.ofSeconds(60))).isTrue();
    assertThat(rows.ask("select began_at from checkup")).isEqualTo("2026-03-01 12:00:00+00");
    checkups.end(9, 2, List.of("a law"));
    assertThat(checkups.last()).contains(new Checkups.View(NOW, 9, 2, List.of("a law")));
  }
}
