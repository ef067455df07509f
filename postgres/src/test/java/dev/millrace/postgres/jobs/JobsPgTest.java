package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.history.Events;
import dev.millrace.postgres.tenants.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking at jobs and their history, as their owners may. */
class JobsPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Jobs jobs = rig.database().jobs();
  private final Wallet.Owner bob = rig.user("bob");
  private final Wallet.Owner zoe = new Wallet.Owner(rig.zenith(), "zoe");

  @BeforeEach
  void fill_the_wallets() {
    rig.pay(rig.user("ada"), 1000);
    rig.pay(bob, 1000);
    rig.pay(zoe, 1000);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_job_is_shown_with_all_that_is_known_of_it() throws Exception {
    Job job = rig.submit(rig.order().priority(2).input("{\"prompt\": \"a rig\"}"));
    JobView waiting = find(rig.acme(), "ada", job);
    assertThat(waiting.request().effect()).isEqualTo("sketch");
    assertThat(waiting.request().workflow()).isEqualTo("sketch");
    assertThat(waiting.request().userId()).isEqualTo("ada");
    assertThat(waiting.state()).isEqualTo(State.QUEUED);
    assertThat(waiting.request().priority()).isEqualTo(2);
    assertThat(waiting.request().input()).isEqualTo("{\"prompt\": \"a rig\"}");
    assertThat(waiting.times().deadlineAt()).isEqualTo(job.times().deadlineAt());
    assertThat(waiting.times().startedAt()).isNull();
    assertThat(waiting.credits().holdOpen()).isTrue();
    assertThat(waiting.credits().refunded()).isZero();

    rig.report(complete(rig.lease(), 2));
    JobView done = find(rig.acme(), "ada", job);
    assertThat(done.state()).isEqualTo(State.COMPLETED);
    assertThat(done.times().deadlineAt()).isNull();
    assertThat(done.credits().captured()).isEqualTo(2);
    assertThat(done.credits().refunded()).isEqualTo(3);
    assertThat(done.times().finishedAt()).isNotNull();
    assertThat(done.report().events()).isEqualTo(3);
  }

  @Test
  void a_foreign_job_answers_as_a_missing_one() throws Exception {
    Job job = rig.submit(rig.order());
    assertThat(jobs.find(Visibility.of(rig.acme()), job.id().uuid())).isPresent();
    assertThat(jobs.find(Visibility.of(rig.zenith()), job.id().uuid())).isEmpty();
    assertThat(jobs.find(Visibility.of(rig.acme(), "bob"), job.id().uuid())).isEmpty();
    assertThat(jobs.find(Visibility.of(rig.acme()), UUID.randomUUID())).isEmpty();
    assertThat(jobs.attempts(rig.zenith(), job.id().uuid())).isEmpty();
    assertThat(rig.database().events().after(rig.zenith(), job.id().uuid(), 0, 10)).isEmpty();
    assertThat(rig.database().wallets().linesOfJob(rig.zenith(), job.id().uuid())).isEmpty();
  }

  @Test
  void pages_follow_each_other_without_a_gap_or_a_repeat_while_jobs_arrive() throws Exception {
    List<UUID> submitted = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      submitted.add(rig.submit(rig.order()).id().uuid());
    }
    rig.submit(rig.order().by(zoe));
    List<UUID> seen = new ArrayList<>();
    @Nullable UUID before = null;
    List<UUID> page = page(before);
    while (!page.isEmpty()) {
      seen.addAll(page);
      before = page.getLast();
      rig.submit(rig.order());
      page = page(before);
    }
    assertThat(seen).containsExactlyElementsOf(submitted.reversed());
  }

  @Test
  void a_list_is_narrowed_by_user_effect_and_state() throws Exception {
    Job failed = rig.submit(rig.order());
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    Job waiting = rig.submit(rig.order());
    Job video = rig.submit(rig.order().effect("video"));
    Job bobs = rig.submit(rig.order().by(bob));
    assertThat(list(null, null, null))
        .containsExactly(id(bobs), id(video), id(waiting), id(failed));
    assertThat(list("bob", null, null)).containsExactly(id(bobs));
    assertThat(list(null, "video", null)).containsExactly(id(video));
    assertThat(list(null, null, List.of(State.FAILED, State.RUNNING))).containsExactly(id(failed));
    assertThat(list("ada", "sketch", List.of(State.QUEUED))).containsExactly(id(waiting));
    assertThat(list(null, null, List.of(State.QUEUED)))
        .containsExactly(id(bobs), id(video), id(waiting));
    assertThat(list("bob", null, List.of(State.FAILED))).isEmpty();
    assertThat(list(null, null, List.of())).isEmpty();
  }

  @Test
  void a_walk_ends_after_so_many_of_the_jobs_that_it_meets() throws Exception {
    Job failed = rig.submit(rig.order());
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    Job adas = rig.submit(rig.order());
    rig.submit(rig.order().by(bob));
    assertThat(floor(null, null, 2)).contains(id(failed));
    assertThat(floor(null, null, 3)).isEmpty();
    assertThat(floor("ada", null, 1)).contains(id(failed));
    assertThat(floor("bob", null, 1)).isEmpty();
    assertThat(floor(null, List.of(State.QUEUED), 1)).contains(id(adas));
    assertThat(floor(null, List.of(State.QUEUED), 2)).isEmpty();
  }

  private Optional<UUID> floor(@Nullable String user, @Nullable List<State> states, int stretch) {
    return jobs.floor(
        new Jobs.Filter(Visibility.of(rig.acme(), user), null, states, null, null, 100), stretch);
  }

  @Test
  void a_deleted_job_is_gone_from_sight() throws Exception {
    Job job = rig.submit(rig.order());
    rig.report(complete(rig.lease(), 5));
    rig.place().execute("update job set deleted_at = clock_timestamp()");
    assertThat(jobs.find(Visibility.of(rig.acme()), id(job))).isEmpty();
    assertThat(list(null, null, null)).isEmpty();
  }

  @Test
  void events_are_read_from_a_cursor_on() throws Exception {
    Leased leased = rig.running();
    for (int i = 1; i <= 5; i++) {
      rig.report(heartbeat(leased, i));
    }
    Events events = rig.database().events();
    UUID id = id(leased.job());
    assertThat(events.after(rig.acme(), id, 0, 3))
        .extracting(EventView::seq)
        .containsExactly(1, 2, 3);
    assertThat(events.after(rig.acme(), id, 3, 10))
        .extracting(EventView::seq)
        .containsExactly(4, 5, 6, 7);
    assertThat(events.after(rig.acme(), id, 7, 10)).isEmpty();
    EventView leaseEvent = events.after(rig.acme(), id, 1, 1).getFirst();
    assertThat(leaseEvent.trigger()).isEqualTo("lease");
    assertThat(leaseEvent.fromState()).isEqualTo(State.QUEUED);
    assertThat(leaseEvent.attempt()).isEqualTo(1);
  }

  @Test
  void attempts_are_listed_in_their_order_with_how_they_ended() throws Exception {
    Leased leased = rig.running();
    rig.report(new Report.Requeue(leased.job().id(), leased.token(), "spot notice"));
    rig.lease();
    assertThat(jobs.attempts(rig.acme(), id(leased.job())))
        .satisfiesExactly(
            first -> {
              assertThat(first.number()).isEqualTo(1);
              assertThat(first.outcome()).isEqualTo("requeued");
              assertThat(first.error()).isEqualTo("spot notice");
            },
            second -> {
              assertThat(second.number()).isEqualTo(2);
              assertThat(second.endedAt()).isNull();
            });
  }

  private JobView find(int tenant, String user, Job job) {
    return jobs.find(Visibility.of(tenant, user), id(job)).orElseThrow();
  }

  private List<UUID> page(@Nullable UUID before) {
    return jobs
        .list(new Jobs.Filter(Visibility.of(rig.acme()), null, null, null, before, 3))
        .stream()
        .map(JobView::id)
        .toList();
  }

  private List<UUID> list(
      @Nullable String user, @Nullable String effect, @Nullable List<State> states) {
    return jobs
        .list(new Jobs.Filter(Visibility.of(rig.acme(), user), effect, states, null, null, 100))
        .stream()
        .map(JobView::id)
        .toList();
  }

  private static UUID id(Job job) {
    return Objects.requireNonNull(job.id().uuid());
  }
}
