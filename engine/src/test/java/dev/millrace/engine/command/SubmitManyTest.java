package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many jobs at once, all or nothing or as many as can be. */
class SubmitManyTest {

  private static final UUID BATCH = new UUID(6, 1);

  private final Bench bench = Bench.withCredits(100);
  private int ids;

  @Test
  void every_job_of_a_batch_belongs_to_it() {
    SubmitMany.Result.Decided decided = decided(many("k", true, new Order(), new Order()));
    assertThat(decided.stored()).isTrue();
    assertThat(decided.results()).hasOnlyElementsOfType(Result.Accepted.class).hasSize(2);
    assertThat(bench.tables.made.values())
        .extracting(Changes.NewJob::links)
        .containsOnly(Changes.Links.in(BATCH));
    assertThat(bench.tables.batches.get(BATCH))
        .isEqualTo(new Changes.NewBatch(1, BATCH, 1, "k", "print", true, 2, null));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(80);
  }

  @Test
  void of_an_atomic_batch_with_one_refusal_nothing_is_stored_and_its_key_stays_free() {
    SubmitMany batch =
        many("k", true, new Order().cost(60), new Order().cost(60), new Order().cost(20));
    SubmitMany.Result.Decided decided = decided(batch);
    assertThat(decided)
        .isEqualTo(
            new SubmitMany.Result.Decided(
                BATCH,
                false,
                List.of(
                    new Result.Withheld(),
                    new Result.InsufficientCredits(60, 40),
                    new Result.Withheld())));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.last().shares()).isEmpty();
    assertThat(bench.tables.jobs).isEmpty();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(decided(many("k", true, new Order())).stored()).isTrue();
  }

  @Test
  void an_atomic_batch_with_a_denied_job_stores_not_even_that() {
    SubmitMany.Result.Decided decided =
        decided(many(null, true, new Order(), new Order().denied("violence")));
    assertThat(decided.stored()).isFalse();
    assertThat(decided.results())
        .hasExactlyElementsOfTypes(Result.Withheld.class, Result.Blocked.class);
    assertThat(bench.tables.jobs).isEmpty();
  }

  @Test
  void of_a_partial_batch_what_can_be_is_accepted() {
    SubmitMany.Result.Decided decided =
        decided(
            many(
                "k",
                false,
                new Order().cost(60),
                new Order().cost(60),
                new Order().denied("violence"),
                new Order().cost(40)));
    assertThat(decided.stored()).isTrue();
    assertThat(decided.results())
        .hasExactlyElementsOfTypes(
            Result.Accepted.class,
            Result.InsufficientCredits.class,
            Result.Blocked.class,
            Result.Accepted.class);
    assertThat(bench.store.balance(Bench.ADA)).isZero();
    assertThat(bench.tables.batches.values())
        .singleElement()
        .satisfies(batch -> assertThat(batch.size()).isEqualTo(4));
  }

  @Test
  void a_partial_batch_of_which_nothing_was_accepted_does_not_exist_and_its_key_is_free() {
    assertThat(decided(many("k", false, new Order().cost(101))).stored()).isFalse();
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.last().batches()).isEmpty();
    assertThat(decided(many("k", false, new Order())).stored()).isTrue();
  }

  @Test
  void the_same_key_and_batch_is_the_same_batch_and_another_is_a_mismatch() {
    decided(many("k", false, new Order()));
    assertThat(submit(many("k", false, new Order())))
        .isEqualTo(new SubmitMany.Result.Replayed(BATCH));
    SubmitMany other =
        new SubmitMany(
            new UUID(6, 2), Bench.ADA, "k", "another", false, List.of(make(new Order())));
    assertThat(submit(other)).isEqualTo(new SubmitMany.Result.KeyMismatch(BATCH));
    assertThat(bench.tables.jobs).hasSize(1);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
  }

  @Test
  void a_batchs_key_is_no_jobs_key_and_belongs_to_its_user() {
    decided(many("k", false, new Order()));
    bench.submit(new Order().key("k", "f"));
    SubmitJob bobs = new Order().by(Bench.BOB).make(new UUID(8, ++ids));
    assertThat(submit(new SubmitMany(new UUID(6, 3), Bench.BOB, "k", "p", true, List.of(bobs))))
        .isInstanceOf(SubmitMany.Result.Decided.class);
  }

  @Test
  void a_job_that_was_asked_for_before_is_replayed_and_does_not_refuse_the_batch() {
    var before = bench.submit(new Order().key("j", "f"));
    SubmitMany.Result.Decided decided =
        decided(many(null, true, new Order().key("j", "f"), new Order()));
    assertThat(decided.stored()).isTrue();
    assertThat(decided.results().getFirst()).isEqualTo(new Result.Replayed(before.id()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(80);
  }

  @Test
  void keys_windows_and_limits_hold_within_the_batch() {
    SubmitMany.Result.Decided decided =
        decided(
            many(
                null,
                false,
                new Order().key("a", "f"),
                new Order().key("a", "f"),
                new Order().key("a", "g"),
                new Order().onceWithin(Duration.ofMinutes(1), "w"),
                new Order().onceWithin(Duration.ofMinutes(1), "w"),
                new Order().limits(2, 0),
                new Order().limits(0, 2)));
    assertThat(decided.results())
        .hasExactlyElementsOfTypes(
            Result.Accepted.class,
            Result.Replayed.class,
            Result.KeyMismatch.class,
            Result.Accepted.class,
            Result.Replayed.class,
            Result.TooManyActive.class,
            Result.QuotaUsedUp.class);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(80);
  }

  @Test
  void a_batch_has_one_user_and_one_to_a_thousand_jobs() {
    SubmitJob bobs = make(new Order().by(Bench.BOB));
    assertThatThrownBy(() ->
            new SubmitMany(BATCH, Bench.ADA, null, "p", true, List.of(make(new Order()), bobs)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SubmitMany(BATCH, Bench.ADA, null, "p", true, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    List<SubmitJob> most = new ArrayList<>();
    for (int i = 0; i < SubmitMany.MOST_JOBS; i++) {
      most.add(make(new Order().cost(0)));
    }
    assertThat(decided(new SubmitMany(BATCH, Bench.ADA, null, "p", true, most)).results())
        .hasSize(1000);
    most.add(make(new Order()));
    assertThatThrownBy(() -> new SubmitMany(BATCH, Bench.ADA, null, "p", true, most))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private SubmitMany many(@Nullable String key, boolean atomic, Order... orders) {
    List<SubmitJob> jobs = new ArrayList<>();
    for (Order order : orders) {
      jobs.add(make(order));
    }
    return new SubmitMany(BATCH, Bench.ADA, key, "print", atomic, jobs);
  }

  private SubmitJob make(Order order) {
    return order.make(new UUID(8, ++ids));
  }

  private SubmitMany.Result submit(SubmitMany batch) {
    return bench.run(new SubmitMany.Booking(), List.of(batch)).getFirst();
  }

  private SubmitMany.Result.Decided decided(SubmitMany batch) {
    SubmitMany.Result result = submit(batch);
    assertThat(result).isInstanceOf(SubmitMany.Result.Decided.class);
    return (SubmitMany.Result.Decided) result;
  }
}
