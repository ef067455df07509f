package dev.millrace.postgres.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.testkit.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RecordMapperPgTest {

  record Everything(
      int wholeNumber,
      long bigNumber,
      double fraction,
      boolean yes,
      @Nullable String text,
      @Nullable Integer perhaps,
      @Nullable Long perhapsBig,
      @Nullable UUID id,
      @Nullable Instant at,
      @Nullable List<String> names,
      @Nullable String nowhere) {}

  record Strange(Thread thread) {}

  record Journey(UUID id, @Nullable State before, State state, Times times) {}

  record Times(Instant startedAt, End end) {}

  record End(@Nullable Instant finishedAt, int events) {}

  @AutoClose private final TestDatabase place = TestDatabase.create();
  private final Jdbi jdbi = Jdbi.create(place.dataSource());

  private Everything read(String columns) {
    return jdbi.withHandle(handle ->
        handle.createQuery("select " + columns).map(RecordMapper.of(Everything.class)).one());
  }

  @Test
  void every_type_is_read() {
    UUID id = UUID.randomUUID();
    assertThat(
            read(
                """
                1 as whole_number, 9007199254740993 as big_number, 0.5::float8 as fraction,
                true as yes, 'x' as text, 2 as perhaps, 3::bigint as perhaps_big,
                '%s'::uuid as id, timestamptz '2026-11-16 12:00:00.123456+02' as at,
                array['a', 'b'] as names, 'ignored' as other
                """
                    .formatted(id)))
        .isEqualTo(
            new Everything(
                1,
                9_007_199_254_740_993L,
                0.5,
                true,
                "x",
                2,
                3L,
                id,
                Instant.parse("2026-11-16T10:00:00.123456Z"),
                List.of("a", "b"),
                null));
  }

  @Test
  void what_is_null_stays_null() {
    assertThat(
            read(
                """
                1 as whole_number, 2 as big_number, 0 as fraction, false as yes,
                null::text as text, null::int as perhaps, null::bigint as perhaps_big,
                null::uuid as id, null::timestamptz as at, null::text[] as names
                """))
        .isEqualTo(new Everything(1, 2, 0, false, null, null, null, null, null, null, null));
  }

  @Test
  void a_column_that_is_missing_is_a_mistake_and_so_is_a_type_that_nobody_reads() {
    assertThatThrownBy(() -> read("1 as whole_number"))
        .hasStackTraceContaining("no column for bignumber");
    assertThatThrownBy(() -> RecordMapper.of(Strange.class))
        .hasMessageContaining("nobody reads the type of");
  }

  private Journey journey(String columns) {
    return jdbi.withHandle(handle ->
        handle.createQuery("select " + columns).map(RecordMapper.of(Journey.class)).one());
  }

  @Test
  void a_record_within_a_record_is_made_of_columns_of_the_same_row_and_an_enum_of_its_label() {
    UUID id = UUID.randomUUID();
    assertThat(
            journey(
                """
                3 as events, null::text as before, 'dead_letter' as state, '%s'::uuid as id,
                null::timestamptz as finished_at, timestamptz '2026-11-16 12:00:00+00' as started_at
                """
                    .formatted(id)))
        .isEqualTo(
            new Journey(
                id,
                null,
                State.DEAD_LETTER,
                new Times(Instant.parse("2026-11-16T12:00:00Z"), new End(null, 3))));
  }

  @Test
  void a_column_that_a_nested_record_misses_is_a_mistake_and_so_is_a_label_that_nobody_knows() {
    String id = "'%s'::uuid as id, clock_timestamp() as started_at".formatted(UUID.randomUUID());
    assertThatThrownBy(() -> journey(id + ", 'queued' as state"))
        .hasStackTraceContaining("no column for events");
    assertThatThrownBy(() -> journey(id + ", 1 as events, 'asleep' as state"))
        .hasStackTraceContaining("State is called asleep");
  }
}
