package dev.millrace.postgres.catalogue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Jdbi;

/** How long the attempts of effects take, and how many of each workflow's jobs end well. */
public final class EffectTimings {

  private static final String LOCK =
      """
      select counts
      from effect_timing
      where effect_id = :effect
      for update
      """;

  private static final String WRITE =
      """
      insert into effect_timing (effect_id, last_seconds, counts, changed_at)
      values (:effect, :last, cast(:counts as float8[]), clock_timestamp())
      on conflict (effect_id) do update
      set last_seconds = excluded.last_seconds,
          counts = excluded.counts,
          changed_at = excluded.changed_at
      """;

  private static final String READ =
      """
      select effect_id, last_seconds, counts
      from effect_timing
      """;

  private static final String COUNT =
      """
      insert into throughput as t (workflow_id, minute, completed)
      values (:workflow, floor(extract(epoch from clock_timestamp()) / 60)::bigint, :completed)
      on conflict (workflow_id, minute) do update
      set completed = t.completed + excluded.completed
      """;

  private static final String FORGET =
      """
      delete from throughput
      where minute < floor(extract(epoch from clock_timestamp()) / 60)::bigint - 15
      """;

  private final Jdbi jdbi;

  public EffectTimings(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The last attempt's seconds, and how many fell into each bucket of a histogram. */
  public record Timing(double lastSeconds, List<Double> counts) {
    public Timing {
      counts = List.copyOf(counts);
    }
  }

  /** Puts what a node observed to what is known; an effect that is new starts with nothing. */
  public void add(int effect, double lastSeconds, UnaryOperator<List<Double>> merge) {
    jdbi.useTransaction(handle -> {
      List<Double> before =
          handle
              .createQuery(LOCK)
              .bind("effect", effect)
              .map((row, _) -> List.of((Double[]) row.getArray(1).getArray()))
              .findOne()
              .orElse(List.of());
      handle
          .createUpdate(WRITE)
          .bind("effect", effect)
          .bind("last", lastSeconds)
          .bindArray("counts", Double.class, merge.apply(before))
          .execute();
    });
  }

  /** By the effect's id. */
  public Map<Integer, Timing> all() {
    Map<Integer, Timing> timings = new TreeMap<>();
    jdbi.useHandle(handle ->
        handle
            .createQuery(READ)
            .map((row, _) ->
                Map.entry(
                    row.getInt(1),
                    new Timing(row.getDouble(2), List.of((Double[]) row.getArray(3).getArray()))))
            .forEach(entry -> timings.put(entry.getKey(), entry.getValue())));
    return timings;
  }

  /** So many jobs of this workflow have just ended well. */
  public void completed(int workflow, int jobs) {
    jdbi.useTransaction(handle -> {
      handle.createUpdate(COUNT).bind("workflow", workflow).bind("completed", jobs).execute();
      handle.createUpdate(FORGET).execute();
    });
  }
}
