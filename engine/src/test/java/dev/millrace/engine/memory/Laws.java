package dev.millrace.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is always true of the rows, whatever happened. The same laws as the doctor's, in memory. */
public final class Laws {

  private final MemoryTables tables;

  private Laws(MemoryTables tables) {
    this.tables = tables;
  }

  public static void check(MemoryTables tables) {
    Laws laws = new Laws(tables);
    laws.balancesAreTheSumOfTheirLines();
    laws.noCreditAppearsOrVanishes();
    laws.walletsCountTheirLiveJobs();
    for (Job job : tables.jobs.values()) {
      laws.theHoldIsWhatTheLedgerSays(job);
      laws.theHistoryIsWhole(job);
      laws.theHistoryIsLegal(job);
      laws.theTriesAreExplained(job);
      laws.attemptsNeverOverlap(job);
      laws.aResultHasOutputs(job);
    }
  }

  private void balancesAreTheSumOfTheirLines() {
    Map<Long, Long> running = new HashMap<>();
    for (LedgerLine line : tables.ledger) {
      long sum = running.merge(line.walletId(), line.amount(), Long::sum);
      assertThat(line.balanceAfter()).as("balance after %s", line).isEqualTo(sum).isNotNegative();
    }
    for (Wallet wallet : tables.wallets.values()) {
      assertThat(wallet.balance()).isEqualTo(running.getOrDefault(wallet.id(), 0L));
    }
  }

  private void walletsCountTheirLiveJobs() {
    Map<Long, Integer> live = new HashMap<>();
    for (Job job : tables.jobs.values()) {
      live.merge(job.facts().walletId(), job.state().live() ? 1 : 0, Integer::sum);
    }
    for (Wallet wallet : tables.wallets.values()) {
      assertThat(wallet.usage().active())
          .as("live jobs of wallet %d", wallet.id())
          .isEqualTo(live.getOrDefault(wallet.id(), 0));
    }
  }

  private void noCreditAppearsOrVanishes() {
    long granted = 0;
    long consumed = 0;
    for (LedgerLine line : tables.ledger) {
      granted += line.job() == null ? line.amount() : 0;
      consumed += line.captured();
    }
    long balances = tables.wallets.values().stream().mapToLong(Wallet::balance).sum();
    long held =
        tables.jobs.values().stream()
            .map(Job::hold)
            .filter(Hold::open)
            .mapToLong(Hold::amount)
            .sum();
    assertThat(balances + held + consumed).as("credits granted").isEqualTo(granted);
  }

  private void theHoldIsWhatTheLedgerSays(Job job) {
    Hold hold = job.hold();
    assertThat(hold.open()).as("%s has an open hold", job).isEqualTo(job.state().live());
    assertThat(hold.fundingSeq() == 0).isEqualTo(job.state() == State.BLOCKED);
    long consumed = hold.open() ? 0 : hold.captured();
    assertThat(sum(job, LedgerType.JOB_RESERVE)).isEqualTo(-hold.amount());
    assertThat(sum(job, LedgerType.JOB_CONSUME)).isEqualTo(consumed);
    assertThat(sum(job, LedgerType.JOB_REFUND)).isEqualTo(hold.refunded());
  }

  /** What the only line of this type moved or captured in the newest funding; 0 without a line. */
  private long sum(Job job, LedgerType type) {
    List<LedgerLine> lines =
        tables.ledgerOf(job.id()).stream()
            .filter(line -> line.type() == type && line.fundingSeq() == job.hold().fundingSeq())
            .toList();
    assertThat(lines).as("%s of %s", type, job.id()).hasSizeLessThanOrEqualTo(1);
    return lines.stream().mapToLong(line -> line.amount() + line.captured()).sum();
  }

  private void theHistoryIsWhole(Job job) {
    List<JobEvent> events = tables.eventsOf(job.id());
    assertThat(events).as("events of %s", job.id()).hasSize(job.events()).isNotEmpty();
    Instant last = Instant.MIN;
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).seq()).isEqualTo(i + 1);
      assertThat(events.get(i).at()).as("time of %s", events.get(i)).isAfterOrEqualTo(last);
      last = events.get(i).at();
    }
    assertThat(events.getLast().state()).isEqualTo(job.state());
    assertThat(last).isEqualTo(job.times().changedAt());
    assertThat(job.times().finishedAt() != null).isEqualTo(job.state().terminal());
    assertThat(Objects.requireNonNullElse(job.times().finishedAt(), last)).isEqualTo(last);
  }

  private void theHistoryIsLegal(Job job) {
    State previous = null;
    for (JobEvent event : tables.eventsOf(job.id())) {
      assertThat(event.from()).as("where %s comes from", event).isEqualTo(previous);
      if (event.trigger() == null) {
        assertThat(event.state()).as("a report moves nothing").isEqualTo(previous);
      } else {
        assertThat(Lifecycle.edge(event.from(), event.trigger(), event.state())).isPresent();
      }
      boolean afterTheEnd = previous != null && previous.terminal();
      assertThat(afterTheEnd && event.trigger() != Trigger.RETRY_IN_PLACE)
          .as("%s came after the end", event)
          .isFalse();
      previous = event.state();
    }
  }

  private void theTriesAreExplained(Job job) {
    List<String> outcomes = tables.endedOf(job.id()).stream().map(Attempt.Ended::outcome).toList();
    long interrupted =
        outcomes.stream().filter(List.of("requeued", "lease_lost")::contains).count();
    long failed = outcomes.stream().filter("failed"::equals).count();
    assertThat(job.tries().interruptions()).as("interruptions of %s", job).isEqualTo(interrupted);
    assertThat((long) job.tries().failures()).isBetween(Math.max(0, failed - 1), failed);
  }

  private void attemptsNeverOverlap(Job job) {
    List<Attempt.Begun> begun =
        tables.begun.stream().filter(attempt -> attempt.job().equals(job.id())).toList();
    List<Attempt.Ended> ended = tables.endedOf(job.id());
    assertThat(begun).hasSize(job.tries().attempts());
    Lease lease = job.lease();
    assertThat(ended).as("attempts of %s", job).hasSize(begun.size() - (lease == null ? 0 : 1));
    if (lease != null) {
      assertThat(begun.getLast().token()).isEqualTo(lease.token());
    }
    for (int i = 0; i < begun.size(); i++) {
      assertThat(begun.get(i).number()).isEqualTo(i + 1);
      if (i > 0) {
        assertThat(begun.get(i).at()).isAfterOrEqualTo(ended.get(i - 1).at());
      }
      if (i < ended.size()) {
        assertThat(ended.get(i).number()).isEqualTo(i + 1);
        assertThat(ended.get(i).at()).isAfterOrEqualTo(begun.get(i).at());
      }
    }
  }

  private void aResultHasOutputs(Job job) {
    boolean result = job.state() == State.COMPLETED || job.state() == State.WAITING_REVIEW;
    assertThat(tables.outputs)
        .filteredOn(output -> output.job().equals(job.id()))
        .filteredOn(output -> output.attempt() == job.tries().attempts())
        .filteredOn(
            output -> !tables.withheld.contains(new Changes.Withheld(job.id(), output.file().id())))
        .as("outputs of %s", job)
        .satisfies(outputs -> assertThat(!outputs.isEmpty() || !result).isTrue());
  }
}
