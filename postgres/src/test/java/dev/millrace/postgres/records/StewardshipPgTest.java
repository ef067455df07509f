package dev.millrace.postgres.records;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.catalogue.Pauses.Kind;
import dev.millrace.postgres.jobs.DeletedJobFiles;
import dev.millrace.postgres.money.WalletLimits;
import dev.millrace.postgres.tenants.Audit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What administrators hold back, allow and look up, and what deleted jobs leave behind. */
class StewardshipPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Pauses pauses = rig.database().pauses();
  private final WalletLimits limits = rig.database().walletLimits();
  private final DeletedJobFiles leftovers = rig.database().deletedJobFiles();

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_resumed_queue_wakes_those_who_wait_for_it() throws Exception {
    rig.submit(rig.order());
    pauses.pause(Kind.EFFECT, line("sketch"));
    assertThat(pauses.effects()).containsExactly("sketch");
    assertThat(rig.engine().lease(rig.asking("worker-1", 1))).isEmpty();
    CountDownLatch listening = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    try (var _ =
        rig.database()
            .wakeups()
            .listen(signal -> {
              listening.countDown();
              if (signal.workflows().contains(rig.workflow("sketch"))) {
                woken.countDown();
              }
            })) {
      // A listener begins by waking everybody.
      assertThat(listening.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(pauses.resume(Kind.EFFECT, line("sketch")).orElseThrow().pausedAt()).isNull();

      assertThat(woken.await(20, TimeUnit.SECONDS)).isTrue();
    }
    rig.lease();
  }

  @Test
  void pausing_twice_keeps_the_first_time_and_what_is_unknown_is_empty() {
    var first = pauses.pause(Kind.WORKFLOW, line("video"));
    assertThat(first.orElseThrow().pausedAt()).isNotNull();
    assertThat(pauses.pause(Kind.WORKFLOW, line("video"))).isEqualTo(first);
    assertThat(pauses.effects()).containsExactly("video");
    assertThat(pauses.pause(Kind.EFFECT, line("nothing"))).isEmpty();
    assertThat(pauses.resume(Kind.WORKFLOW, line("nothing"))).isEmpty();
  }

  @Test
  void a_limit_changes_nothing_else_of_a_wallet() throws Exception {
    rig.submit(rig.order());

    assertThat(limits.set(3, 0, null, line("ada")))
        .isEqualTo(new WalletLimits.Standing(3, 0, null, 1, 1));

    rig.submit(rig.order());
    assertThat(limits.find(rig.acme(), "ada"))
        .isEqualTo(new WalletLimits.Standing(3, 0, null, 2, 2));
    assertThat(limits.find(rig.zenith(), "ada"))
        .isEqualTo(new WalletLimits.Standing(null, null, null, 0, 0));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(90);
  }

  @Test
  void what_was_steered_and_what_was_not_there_is_told_by_the_audit() {
    pauses.pause(Kind.EFFECT, line("sketch"));
    pauses.resume(Kind.EFFECT, line("sketch"));
    pauses.pause(Kind.EFFECT, line("nothing"));
    limits.set(1, null, null, line("ada"));

    assertThat(
            rig.database()
                .audit()
                .list(new Audit.Filter(rig.acme(), true, "test.steer", null, null, 9)))
        .extracting(Audit.Written::target)
        .containsExactly("ada", "sketch", "sketch");
  }

  private Audit.Line line(String target) {
    return new Audit.Line(rig.acme(), "key:test", "test.steer", target, null);
  }

  private UUID deleted() throws InterruptedException {
    Job job = rig.submit(rig.order());
    rig.report(complete(rig.lease(), 2));
    rig.report(new Report.Delete(job.id(), "key:test"));
    return job.id().uuid();
  }

  @Test
  void leftovers_are_found_page_by_page_until_they_are_cleaned() throws Exception {
    List<UUID> jobs = List.of(deleted(), deleted(), deleted());
    assertThat(leftovers.find(null, 10)).isEmpty(); // Whoever deletes has a minute.
    rig.place().execute("update job set deleted_at = deleted_at - interval '1 hour'");

    List<DeletedJobFiles.Deleted> first = leftovers.find(null, 2);
    List<DeletedJobFiles.Deleted> found = new ArrayList<>(first);
    found.addAll(leftovers.find(first.getLast(), 2));
    assertThat(found)
        .extracting(DeletedJobFiles.Deleted::id)
        .containsExactlyElementsOf(jobs.stream().sorted().toList());

    leftovers.cleaned(rig.acme(), jobs.getFirst());
    assertThat(leftovers.find(null, 10))
        .extracting(DeletedJobFiles.Deleted::id)
        .doesNotContain(jobs.getFirst());
  }

  @Test
  void only_a_deleted_job_has_leftovers() throws Exception {
    UUID gone = deleted();
    Job kept = rig.submit(rig.order().input("{\"prompt\": \"a rig\"}"));
    rig.report(complete(rig.lease(), 1));
    UUID there = kept.id().uuid();

    for (UUID job : List.of(gone, there)) {
      leftovers.forget(rig.acme(), job);
      leftovers.filesOf(rig.acme(), job).forEach(f -> leftovers.removed(rig.acme(), f.id()));
      leftovers.cleaned(rig.acme(), job);
    }

    assertThat(leftovers.filesOf(rig.acme(), gone)).isEmpty();
    assertThat(rig.place().ask("select count(*) from file where deleted_at is not null"))
        .isEqualTo("2");
    assertThat(rig.place().ask("select input from job_input where job_id = '" + there + "'"))
        .isEqualTo("{\"prompt\": \"a rig\"}");
    assertThat(rig.place().ask("select count(*) from job where cleaned_at is not null"))
        .isEqualTo("1");
  }

  @Test
  void an_audit_is_read_by_its_own_tenant_only() throws Exception {
    UUID job = deleted();
    Audit audit = rig.database().audit();
    audit.write(new Audit.Line(rig.zenith(), "key:z", "job.delete", "x", "{\"a\": 1}"));

    assertThat(audit.list(new Audit.Filter(rig.acme(), true, "job.delete", null, null, 10)))
        .singleElement()
        .satisfies(line -> assertThat(line.target()).isEqualTo(job.toString()));
    List<Audit.Written> theirs =
        audit.list(new Audit.Filter(rig.zenith(), true, null, "x", null, 10));
    assertThat(theirs).hasSize(1);
    assertThat(
            audit.list(
                new Audit.Filter(rig.zenith(), true, null, null, theirs.getFirst().id(), 10)))
        .isEmpty();
  }
}
