package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Price;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every edge that closes a hold of 50 credits keeps of it and gives back. A job costs 50, an
 * output 3, or a second 2. Work takes 4 seconds and makes two outputs, of which a reviewer lets one
 * through.
 */
class SettlementTableTest {

  private static final UUID ONE = new UUID(0, 1);
  private static final UUID TWO = new UUID(0, 2);
  private static final Duration WORK = Duration.ofSeconds(4);

  // spotless:off
  /** Captured and refunded, by the job, by the output and by the second. */
  private static final String TABLE = """
      from           | trigger             | to          | the effect says       |  job   output second
      queued         | policy_recheck      | rejected    |                       |  0+50   0+50   0+50
      pending        | policy_recheck      | rejected    |                       |  0+50   0+50   0+50
      running        | retryable_error     | dead_letter |                       |  0+50   0+50   0+50
      submitted      | retryable_error     | dead_letter |                       |  0+50   0+50   0+50
      running        | lease_lost          | dead_letter |                       |  0+50   0+50   0+50
      submitted      | lease_lost          | dead_letter |                       |  0+50   0+50   0+50
      running        | requeue             | dead_letter |                       |  0+50   0+50   0+50
      running        | permanent_error     | failed      |                       |  0+50   0+50   0+50
      submitted      | permanent_error     | failed      |                       |  0+50   0+50   0+50
      running        | complete            | completed   |                       | 50+0    6+44   8+42
      submitted      | complete            | completed   |                       | 50+0    6+44   8+42
      running        | safety_filter       | rejected    |                       | 50+0   50+0   50+0
      running        | safety_filter       | rejected    | safety refunds        |  0+50   0+50   0+50
      submitted      | safety_filter       | rejected    |                       | 50+0   50+0   50+0
      submitted      | safety_filter       | rejected    | safety refunds        |  0+50   0+50   0+50
      waiting_review | approve             | completed   |                       | 50+0    3+47   8+42
      waiting_review | decline             | rejected    |                       |  0+50   0+50   0+50
      waiting_review | decline             | rejected    | declines consume      | 50+0    6+44   8+42
      pending        | cancel              | canceled    |                       |  0+50   0+50   0+50
      queued         | cancel              | canceled    |                       |  0+50   0+50   0+50
      waiting_review | cancel              | canceled    |                       |  0+50   0+50   0+50
      canceling      | cancel_acknowledged | canceled    |                       |  0+50   0+50   8+42
      canceling      | grace_over          | canceled    |                       |  0+50   0+50  48+2
      canceling      | complete            | completed   |                       | 50+0    6+44   8+42
      canceling      | safety_filter       | rejected    |                       | 50+0   50+0   50+0
      canceling      | safety_filter       | rejected    | safety refunds        |  0+50   0+50   0+50
      pending        | deadline            | expired     |                       |  0+50   0+50   0+50
      queued         | deadline            | expired     |                       |  0+50   0+50   0+50
      running        | deadline            | expired     |                       |  0+50   0+50   0+50
      submitted      | deadline            | expired     |                       |  0+50   0+50   0+50
      waiting_review | deadline            | expired     |                       |  0+50   0+50   0+50
      canceling      | deadline            | expired     |                       |  never
      """;
  // spotless:on

  private record Line(String edge, String rule, List<String> amounts) {
    String of(Price.Unit unit) {
      return switch (unit) {
        case JOB -> amounts.getFirst();
        case OUTPUT -> amounts.get(amounts.size() / 2);
        case SECOND -> amounts.getLast();
      };
    }
  }

  private static final List<Line> LINES =
      TABLE
          .lines()
          .skip(1)
          .map(line -> Stream.of(line.split("\\|")).map(String::strip).toList())
          .map(cells ->
              new Line(
                  String.join(" ", cells.subList(0, 3)),
                  cells.get(3),
                  Arrays.asList(cells.get(4).split(" +"))))
          .toList();

  /** One settlement: an edge, how the effect is priced, and what it says about money. */
  record Settling(Edge edge, Price.Unit unit, boolean safetyRefunds, boolean declinesConsume) {
    @Override
    public String toString() {
      return "%s per %s%s%s"
          .formatted(
              words(edge),
              unit.label(),
              safetyRefunds ? ", safety refunds" : "",
              declinesConsume ? ", declines consume" : "");
    }

    String expected() {
      return LINES.stream()
          .filter(line -> line.edge.equals(words(edge)))
          .filter(line ->
              line.rule.isEmpty()
                  || (safetyRefunds && line.rule.equals("safety refunds"))
                  || (declinesConsume && line.rule.equals("declines consume")))
          .reduce((_, exception) -> exception)
          .map(line -> line.of(unit))
          .orElseThrow(() -> new AssertionError("the table has no line for " + this));
    }

    Order order() {
      Order order = new Order().cost(50).price(unit, unit == Price.Unit.SECOND ? 2 : 3);
      if (safetyRefunds) {
        order.safetyRefund();
      }
      if (declinesConsume) {
        order.declineConsumes();
      }
      return edge.to() == State.DEAD_LETTER ? order.caps(1, 1) : order;
    }
  }

  private static String words(Edge edge) {
    return edge.fromLabel() + " " + edge.trigger().label() + " " + edge.to().label();
  }

  static Stream<Settling> settlings() {
    List<Settling> all = new ArrayList<>();
    for (Edge edge : Lifecycle.edges()) {
      for (Price.Unit unit : Price.Unit.values()) {
        for (int rules = 0; edge.money().settles() && rules < 4; rules++) {
          all.add(new Settling(edge, unit, (rules & 1) != 0, (rules & 2) != 0));
        }
      }
    }
    return all.stream().filter(settling -> !settling.expected().equals("never"));
  }

  @Test
  void the_table_has_every_edge_that_closes_a_hold_and_no_other() {
    assertThat(LINES.stream().map(Line::edge).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Lifecycle.edges().stream()
                .filter(edge -> edge.money().settles())
                .map(SettlementTableTest::words)
                .toList());
  }

  @ParameterizedTest
  @MethodSource("settlings")
  void an_edge_keeps_and_refunds_what_the_table_says(Settling settling) {
    Bench bench = Bench.withCredits(100);
    Job before = brought(bench, settling);
    Job after = bench.done(report(bench, settling.edge, before));
    assertThat(after.state()).isEqualTo(settling.edge.to());
    assertThat(after.hold().open()).isFalse();
    assertThat(after.hold().captured() + "+" + after.hold().refunded())
        .isEqualTo(settling.expected());
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100 - after.hold().captured());
  }

  private static Job brought(Bench bench, Settling settling) {
    Order order = settling.order();
    return switch (Objects.requireNonNull(settling.edge.from())) {
      case PENDING -> bench.submit(order.runAt(bench.now().plusSeconds(60)));
      case QUEUED -> bench.submit(order);
      case RUNNING -> worked(bench, bench.running(order));
      case SUBMITTED -> {
        Leased leased = bench.running(order);
        bench.done(new Report.Intend(leased.job().id(), leased.token(), "faraway"));
        bench.done(new Report.Accept(leased.job().id(), leased.token(), "their-1"));
        yield worked(bench, leased);
      }
      case WAITING_REVIEW -> {
        Job worked = worked(bench, bench.running(order.review(true)));
        yield bench.done(complete(worked));
      }
      case CANCELING -> {
        Job worked = worked(bench, bench.running(order));
        yield bench.done(new Report.Cancel(worked.id()));
      }
      case COMPLETED, FAILED, DEAD_LETTER, REJECTED, CANCELED, EXPIRED, BLOCKED ->
          throw new IllegalStateException("nothing is held there");
    };
  }

  private static Job worked(Bench bench, Leased leased) {
    bench.advance(WORK);
    return bench.job(leased.job().id());
  }

  private static Report report(Bench bench, Edge edge, Job job) {
    JobId id = job.id();
    return switch (edge.trigger()) {
      case POLICY_RECHECK ->
          new Report.RejectByPolicy(id, "mona", new Failure("violence", "Not here."));
      case RETRYABLE_ERROR -> Bench.fail(id, token(job), Kind.RETRYABLE);
      case PERMANENT_ERROR -> Bench.fail(id, token(job), Kind.PERMANENT);
      case SAFETY_FILTER -> Bench.fail(id, token(job), Kind.SAFETY);
      case REQUEUE -> new Report.Requeue(id, token(job), "spot");
      case LEASE_LOST -> {
        bench.advance(Bench.CALLBACK);
        yield new Report.LoseLease(id, token(job), false);
      }
      case COMPLETE -> complete(job);
      case APPROVE -> new Report.Approve(id, "rita", Set.of(ONE), null);
      case DECLINE -> new Report.Decline(id, "rita", "Blurred.");
      case CANCEL -> new Report.Cancel(id);
      case CANCEL_ACKNOWLEDGED -> new Report.AcknowledgeCancel(id, token(job));
      case GRACE_OVER, DEADLINE -> {
        bench.advance(Duration.between(bench.now(), job.times().deadlineAt()));
        yield new Report.MissDeadline(id);
      }
      case SUBMIT, DUE, LEASE, PROVIDER_ACCEPTED, SUBMIT_UNCONFIRMED, RETRY_IN_PLACE ->
          throw new IllegalStateException("settles nothing");
    };
  }

  private static UUID token(Job job) {
    return Objects.requireNonNull(job.lease()).token();
  }

  private static Report complete(Job job) {
    return new Report.Complete(
        job.id(), token(job), List.of(output(ONE), output(TWO)), Summary.EMPTY);
  }

  private static OutputFile output(UUID id) {
    return new OutputFile(
        id,
        "k" + id,
        "a.png",
        new OutputFile.Content("image/png", 3, "ab".repeat(32)),
        new OutputFile.Picture(1, 1, null),
        null);
  }
}
