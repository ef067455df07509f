package dev.millrace.postgres.records;

import static dev.millrace.postgres.Mill.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.Mill;
import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.catalogue.Pauses.Kind;
import dev.millrace.postgres.jobs.Leftovers;
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

  private final Mill mill = Mill.open();
  private final Pauses pauses = mill.database().pauses();
  private final WalletLimits limits = mill.database().walletLimits();
  private final Leftovers leftovers = mill.database().leftovers();

  @BeforeEach
  void fill_the_wallet() {
    mill.pay(mill.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    mill.close();
  }

  @Test
  void a_resumed_queue_wakes_those_who_wait_for_it() throws Exception {
    mill.submit(mill.order());
    pauses.pause(Kind.EFFECT, line("sketch"));
    assertThat(pauses.effects()).containsExactly("sketch");
    assertThat(mill.engine().lease(mill.asking("worker-1", 1))).isEmpty();
    CountDownLatch listening = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    try (var _ =
        mill.database()
            .wakeups()
            .listen(signal -> {
              listening.countDown();
              if (signal.workflows().contains(mill.workflow("sketch"))) {
                woken.countDown();
              }
            })) {
      // A listener begins by waking everybody.
      assertThat(listening.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(pauses.resume(Kind.EFFECT, line("sketch")).orElseThrow().pausedAt()).isNull();

      assertThat(woken.await(20, TimeUnit.SECONDS)).isTrue();
    }
    mill.lease();
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
    mill.submit(mill.order());

    assertThat(limits.set(3, 0, line("ada"))).isEqualTo(new WalletLimits.Standing(3, 0, 1, 1));

    mill.submit(mill.order());
    assertThat(limits.find(mill.acme(), "ada")).isEqualTo(new WalletLimits.Standing(3, 0, 2, 2));
    assertThat(limits.find(mill.zenith(), "ada"))
        .isEqualTo(new WalletLimits.Standing(null, null, 0, 0));
    assertThat(mill.balance(mill.user("ada"))).isEqualTo(90);
  }

  @Test
  void what_was_steered_and_what_was_not_there_is_told_by_the_audit() {
    pauses.pause(Kind.EFFECT, line("sketch"));
    pauses.resume(Kind.EFFECT, line("sketch"));
    pauses.pause(Kind.EFFECT, line("nothing"));
    limits.set(1, null, line("ada"));

    assertThat(
            mill.database()
                .audit()
                .list(new Audit.Filter(mill.acme(), "test.steer", null, null, 9)))
        .extracting(Audit.Written::target)
        .containsExactly("ada", "sketch", "sketch");
  }

  private Audit.Line line(String target) {
    return new Audit.Line(mill.acme(), "key:test", "test.steer", target, null);
  }

  private UUID deleted() throws InterruptedException {
    Job job = mill.submit(mill.order());
    mill.report(complete(mill.lease(), 2));
    mill.report(new Report.Delete(job.id(), "key:test"));
    return job.id().uuid();
  }

  @Test
  void leftovers_are_found_page_by_page_until_they_are_cleaned() throws Exception {
    List<UUID> jobs = List.of(deleted(), deleted(), deleted());
    assertThat(leftovers.find(null, 10)).isEmpty(); // Whoever deletes has a minute.
    mill.place().execute("update job set deleted_at = deleted_at - interval '1 hour'");

    List<Leftovers.Deleted> first = leftovers.find(null, 2);
    List<Leftovers.Deleted> found = new ArrayList<>(first);
    found.addAll(leftovers.find(first.getLast(), 2));
    assertThat(found)
        .extracting(Leftovers.Deleted::id)
        .containsExactlyElementsOf(jobs.stream().sorted().toList());

    leftovers.cleaned(mill.acme(), jobs.getFirst());
    assertThat(leftovers.find(null, 10))
        .extracting(Leftovers.Deleted::id)
        .doesNotContain(jobs.getFirst());
  }

  @Test
  void only_a_deleted_job_has_leftovers() throws Exception {
    UUID gone = deleted();
    Job kept = mill.submit(mill.order().input("{\"prompt\": \"a mill\"}"));
    mill.report(complete(mill.lease(), 1));
    UUID there = kept.id().uuid();

    for (UUID job : List.of(gone, there)) {
      leftovers.forget(mill.acme(), job);
      leftovers.filesOf(mill.acme(), job).forEach(f -> leftovers.removed(mill.acme(), f.id()));
      leftovers.cleaned(mill.acme(), job);
    }

    assertThat(leftovers.filesOf(mill.acme(), gone)).isEmpty();
    assertThat(mill.place().ask("select count(*) from file where deleted_at is not null"))
        .isEqualTo("2");
    assertThat(mill.place().ask("select input from job_input where job_id = '" + there + "'"))
        .isEqualTo("{\"prompt\": \"a mill\"}");
    assertThat(mill.place().ask("select count(*) from job where cleaned_at is not null"))
        .isEqualTo("1");
  }

  @Test
  void an_audit_is_read_by_its_own_tenant_only() throws Exception {
    UUID job = deleted();
    Audit audit = mill.database().audit();
    audit.write(new Audit.Line(mill.zenith(), "key:z", "job.delete", "x", "{\"a\": 1}"));

    assertThat(audit.list(new Audit.Filter(mill.acme(), "job.delete", null, null, 10)))
        .singleElement()
        .satisfies(line -> assertThat(line.target()).isEqualTo(job.toString()));
    List<Audit.Written> theirs = audit.list(new Audit.Filter(mill.zenith(), null, "x", null, 10));
    assertThat(theirs).hasSize(1);
    assertThat(audit.list(new Audit.Filter(mill.zenith(), null, null, theirs.getFirst().id(), 10)))
        .isEmpty();
  }
}
