package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.BOB;
import static dev.millrace.engine.conformance.Scene.HOUR;
import static dev.millrace.engine.conformance.Scene.OTHER_ADA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import dev.millrace.engine.port.Transaction.Opening;
import dev.millrace.engine.port.Transaction.Recent;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that were made before: by their keys, and by what they ask for. */
interface RequestContract {

  /** In these a request was in vain, and the same one may be made again. */
  Set<State> IN_VAIN =
      EnumSet.of(State.FAILED, State.DEAD_LETTER, State.EXPIRED, State.CANCELED, State.BLOCKED);

  Ground ground();

  Scene scene();

  private Map<KeyScope, KeyUse> used(KeyScope... keys) {
    return ground().node().transact(tx -> tx.open(opening(Set.of(keys), Set.of()))).keys();
  }

  private static Opening opening(Set<KeyScope> keys, Set<Recent> recents) {
    Set<Wallet.Owner> owners =
        Stream.concat(keys.stream().map(KeyScope::owner), recents.stream().map(Recent::owner))
            .collect(Collectors.toSet());
    return new Opening(owners, keys, recents, Set.of());
  }

  @Test
  default void a_key_is_found_by_its_user_with_what_it_was_used_for() {
    JobId first = scene().submit(Scene.keyed(scene().order(ADA), "k", "f1")).id();
    JobId second = scene().submit(Scene.keyed(scene().order(ADA), "k2", "f2")).id();
    JobId others = scene().submit(Scene.keyed(scene().order(OTHER_ADA), "k", "f3")).id();
    scene().submit(Scene.keyed(scene().order(ADA), null, "f4"));
    KeyScope unknown = new KeyScope(ADA, "k3");
    KeyScope bobs = new KeyScope(BOB, "k");
    KeyScope between = new KeyScope(ADA, "k1");
    assertThat(
            used(
                new KeyScope(ADA, "k"),
                new KeyScope(ADA, "k2"),
                new KeyScope(OTHER_ADA, "k"),
                unknown,
                bobs,
                between))
        .isEqualTo(
            Map.of(
                new KeyScope(ADA, "k"), new KeyUse(first, "f1"),
                new KeyScope(ADA, "k2"), new KeyUse(second, "f2"),
                new KeyScope(OTHER_ADA, "k"), new KeyUse(others, "f3")));
  }

  @Test
  default void who_waits_for_the_wallet_finds_the_key_that_was_used_meanwhile() {
    SubmitJob order = Scene.keyed(scene().order(ADA), "k", "f1");
    KeyScope key = new KeyScope(ADA, "k");
    Map<KeyScope, KeyUse> found =
        ground()
            .meet(
                tx -> Scene.decide(tx, new SubmitBatch(), order),
                tx -> tx.open(opening(Set.of(key), Set.of())).keys(),
                () -> {});
    assertThat(found).isEqualTo(Map.of(key, new KeyUse(order.jobId(), "f1")));
  }

  private Map<Recent, JobId> recent(Recent... recents) {
    return ground().node().transact(tx -> tx.open(opening(Set.of(), Set.of(recents)))).recent();
  }

  @ParameterizedTest
  @EnumSource(State.class)
  default void the_same_request_is_found_unless_it_was_in_vain(State state) {
    Job job = in(state, scene());
    assertThat(job.state()).isEqualTo(state);
    Recent same = new Recent(ADA, "f", Duration.ofDays(30));
    assertThat(recent(same)).isEqualTo(IN_VAIN.contains(state) ? Map.of() : Map.of(same, job.id()));
  }

  /** A job of ada's in this state. */
  private static Job in(State state, Scene scene) {
    SubmitJob order = scene.order(ADA);
    SubmitJob reviewed = scene.order(ADA, 2, 1, 0);
    return switch (state) {
      case PENDING -> {
        var later = scene.transact(tx -> tx.now()).plus(HOUR);
        yield scene.submit(Scene.with(order, order.identity(), later, null));
      }
      case QUEUED -> scene.submit(order);
      case RUNNING -> scene.running(order).job();
      case SUBMITTED -> {
        Leased leased = scene.running(order);
        scene.report(new Report.Intend(leased.job().id(), leased.token(), "acme"));
        yield scene.report(new Report.Accept(leased.job().id(), leased.token(), "ref"));
      }
      case WAITING_REVIEW -> scene.report(scene.complete(scene.running(reviewed), 1));
      case CANCELING -> scene.report(new Report.Cancel(scene.running(order).job().id()));
      case COMPLETED -> scene.report(scene.complete(scene.running(order), 1));
      case REJECTED -> {
        Failure why = new Failure("violence", "No.");
        yield scene.report(new Report.RejectByPolicy(scene.submit(order).id(), "mod", why));
      }
      case FAILED -> scene.report(Scene.fail(scene.running(order), Report.Fail.Kind.PERMANENT));
      case DEAD_LETTER -> dead(scene, order);
      case EXPIRED -> {
        JobId id = scene.submit(order).id();
        scene.pass(Duration.ofDays(2));
        yield scene.report(new Report.MissDeadline(id));
      }
      case CANCELED -> scene.report(new Report.Cancel(scene.submit(order).id()));
      case BLOCKED ->
          scene.submit(
              Scene.with(order, order.identity(), null, new SubmitJob.Denial("violence", "No.")));
    };
  }

  private static Job dead(Scene scene, SubmitJob order) {
    Job job = scene.submit(order);
    for (int i = 0; i < order.terms().maxInterruptions(); i++) {
      Leased leased = scene.lease("w", 1, order.terms().workflowId()).getFirst();
      job = scene.report(new Report.Requeue(job.id(), leased.token(), "spot"));
    }
    return job;
  }

  @Test
  default void the_newest_of_the_same_requests_is_found_for_its_own_user_and_fingerprint() {
    scene().submit(ADA);
    scene().pass(Duration.ofSeconds(1));
    JobId newest = scene().submit(ADA).id();
    JobId bobs = scene().submit(BOB).id();
    scene().submit(Scene.keyed(scene().order(OTHER_ADA), null, "another"));
    Recent adas = new Recent(ADA, "f", HOUR);
    Recent ofBob = new Recent(BOB, "f", HOUR);
    assertThat(recent(adas, ofBob, new Recent(ADA, "g", HOUR), new Recent(OTHER_ADA, "f", HOUR)))
        .isEqualTo(Map.of(adas, newest, ofBob, bobs));
  }

  @Test
  default void a_request_is_recent_until_its_window_is_over() {
    JobId job = scene().submit(ADA).id();
    scene().pass(HOUR.minusMillis(1));
    Recent same = new Recent(ADA, "f", HOUR);
    Recent shorter = new Recent(ADA, "f", HOUR.minusMillis(1));
    assertThat(recent(same, shorter)).isEqualTo(Map.of(same, job));
    scene().pass(Duration.ofMillis(1));
    assertThat(recent(same)).isEmpty();
  }

  @Test
  default void a_window_ends_by_the_clock_after_the_lock() {
    scene().submit(ADA);
    Recent same = new Recent(ADA, "f", HOUR);
    Map<Recent, JobId> found =
        ground()
            .meet(
                tx -> tx.lockWallets(Set.of(ADA)),
                tx -> tx.open(opening(Set.of(), Set.of(same))).recent(),
                () -> scene().pass(HOUR));
    assertThat(found).isEmpty();
  }

  @Test
  default void a_request_that_was_deleted_is_not_found_but_the_one_before_it_is() {
    Job kept = scene().report(scene().complete(scene().running(scene().order(ADA)), 1));
    scene().pass(Duration.ofSeconds(1));
    Job deleted = scene().report(scene().complete(scene().running(scene().order(ADA)), 1));
    Recent same = new Recent(ADA, "f", HOUR);
    assertThat(recent(same)).isEqualTo(Map.of(same, deleted.id()));
    scene().report(new Report.Delete(deleted.id(), "ada"));
    assertThat(Objects.requireNonNull(recent(same).get(same))).isEqualTo(kept.id());
  }
}
