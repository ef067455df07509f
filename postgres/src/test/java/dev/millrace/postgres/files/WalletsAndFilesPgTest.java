package dev.millrace.postgres.files;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.money.LedgerView;
import dev.millrace.postgres.money.Wallets;
import dev.millrace.postgres.tenants.Visibility;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a user owns: credits and files. */
class WalletsAndFilesPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Wallets wallets = rig.database().wallets();
  private final Files files = rig.database().files();

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_balance_tells_what_can_be_spent_and_what_is_reserved() throws Exception {
    rig.submit(rig.order());
    rig.submit(rig.order().effect("video").cost(20));
    assertThat(wallets.balance(rig.acme(), "ada")).isEqualTo(new Wallets.Balance(75, 25));
    rig.report(complete(rig.lease(), 4));
    assertThat(wallets.balance(rig.acme(), "ada")).isEqualTo(new Wallets.Balance(76, 20));
  }

  @Test
  void a_stranger_and_a_foreign_tenants_namesake_have_nothing() {
    assertThat(wallets.balance(rig.acme(), "nobody")).isEqualTo(new Wallets.Balance(0, 0));
    assertThat(wallets.balance(rig.zenith(), "ada")).isEqualTo(new Wallets.Balance(0, 0));
    assertThat(wallets.ledger(rig.zenith(), "ada", null, 10)).isEmpty();
  }

  @Test
  void a_ledger_is_read_newest_first_in_pages() throws Exception {
    Job job = rig.submit(rig.order());
    rig.report(complete(rig.lease(), 2));
    List<LedgerView> first = wallets.ledger(rig.acme(), "ada", null, 3);
    assertThat(first)
        .extracting(LedgerView::type)
        .containsExactly("job_refund", "job_consume", "job_reserve");
    assertThat(first)
        .extracting(line -> line.credits().balanceAfter())
        .containsExactly(98L, 95L, 95L);
    assertThat(wallets.ledger(rig.acme(), "ada", first.getLast().id(), 3))
        .extracting(LedgerView::type)
        .containsExactly("payment_credit");
    assertThat(wallets.linesOfJob(rig.acme(), job.id().uuid()))
        .extracting(line -> line.credits().amount())
        .containsExactly(-5L, 0L, 3L);
  }

  @Test
  void a_file_is_found_by_its_owner_and_by_nobody_else() throws Exception {
    Job job = rig.submit(rig.order());
    rig.report(complete(rig.lease(), 1));
    UUID other = rig.submit(rig.order().effect("video").cost(0)).id().uuid();
    List<FileView> outputs = files.ofJobs(rig.acme(), List.of(job.id().uuid(), other));
    assertThat(outputs).hasSize(1);
    FileView output = outputs.getFirst();
    assertThat(output.jobId()).isEqualTo(job.id().uuid());
    assertThat(output.kind()).isEqualTo("output");
    assertThat(output.content().width()).isEqualTo(8);
    assertThat(output.keys().thumbnailKey()).isNull();
    assertThat(files.find(Visibility.of(rig.acme(), "ada"), output.id())).contains(output);
    assertThat(files.find(Visibility.of(rig.acme()), output.id())).contains(output);
    assertThat(files.find(Visibility.of(rig.acme(), "bob"), output.id())).isEmpty();
    assertThat(files.find(Visibility.of(rig.zenith()), output.id())).isEmpty();
    assertThat(files.ofJobs(rig.zenith(), List.of(job.id().uuid()))).isEmpty();
    assertThat(files.ofJobs(rig.acme(), List.of())).isEmpty();
  }

  @Test
  void a_library_shows_the_newest_first_in_pages_without_what_was_deleted() throws Exception {
    for (int i = 0; i < 4; i++) {
      rig.submit(rig.order());
      Leased leased = rig.lease();
      rig.report(complete(leased, 1));
    }
    List<FileView> all = files.library(Visibility.of(rig.acme(), "ada"), null, null, 10);
    assertThat(all).hasSize(4);
    assertThat(files.library(Visibility.of(rig.acme(), "ada"), null, all.get(1).id(), 10))
        .containsExactly(all.get(2), all.get(3));
    rig.place()
        .execute(
            "update file set deleted_at = clock_timestamp() where id = '%s'"
                .formatted(all.getFirst().id()));
    assertThat(files.library(Visibility.of(rig.acme(), "ada"), null, null, 10))
        .hasSize(3)
        .doesNotContain(all.get(0));
    assertThat(files.library(Visibility.of(rig.zenith(), "ada"), null, null, 10)).isEmpty();
  }
}
