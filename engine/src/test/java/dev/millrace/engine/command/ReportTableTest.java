package dev.millrace.engine.command;

import static dev.millrace.engine.command.Report.Fail.Kind.PERMANENT;
import static dev.millrace.engine.command.Report.Fail.Kind.RETRYABLE;
import static dev.millrace.engine.command.Report.Fail.Kind.SAFETY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every report in every state. The hold is 10 credits, the charge of a result 7. */
class ReportTableTest {

  private static final UUID STRANGER = new UUID(0xbad, 0xbad);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration LATER = Bench.LEASE;
  private static final Duration MUCH_LATER = Duration.ofHours(2);

  /** What is reported, on which kind of job, and how long after it got into its state. */
  private record Case(Supplier<Order> order, Duration after, Function<Subject, Report> report) {}

  private static final Map<String, Case> CASES =
      Map.ofEntries(
          at(SOON, "heartbeat", s -> Bench.beat(s.id(), s.token())),
          now("heartbeat, stranger", s -> Bench.beat(s.id(), STRANGER)),
          at(LATER, "heartbeat, late", s -> Bench.beat(s.id(), s.token())),
          now(
              "progress",
              s ->
                  new Report.Heartbeat(
                      s.id(), s.token(), new Progress(5, "x", "y"), Summary.EMPTY)),
          now("complete", s -> Bench.complete(s.id(), s.token())),
          now("complete, stranger", s -> Bench.complete(s.id(), STRANGER)),
          at(LATER, "complete, late", s -> Bench.complete(s.id(), s.token())),
          of(
              "complete, review",
              () -> new Order().review(true),
              s -> Bench.complete(s.id(), s.token())),
          now("fail", s -> Bench.fail(s.id(), s.token(), RETRYABLE)),
          now("fail, stranger", s -> Bench.fail(s.id(), STRANGER, RETRYABLE)),
          at(LATER, "fail, late", s -> Bench.fail(s.id(), s.token(), RETRYABLE)),
          last("fail, last try", s -> Bench.fail(s.id(), s.token(), RETRYABLE)),
          now("fail for good", s -> Bench.fail(s.id(), s.token(), PERMANENT)),
          now("fail safety", s -> Bench.fail(s.id(), s.token(), SAFETY)),
          of(
              "fail safety, refund",
              () -> new Order().safetyRefund(),
              s -> Bench.fail(s.id(), s.token(), SAFETY)),
          now("requeue", s -> new Report.Requeue(s.id(), s.token(), "spot")),
          now("requeue, stranger", s -> new Report.Requeue(s.id(), STRANGER, "spot")),
          at(LATER, "requeue, late", s -> new Report.Requeue(s.id(), s.token(), "spot")),
          last("requeue, last try", s -> new Report.Requeue(s.id(), s.token(), "spot")),
          now("stopped", s -> new Report.AcknowledgeCancel(s.id(), s.token())),
          now("stopped, stranger", s -> new Report.AcknowledgeCancel(s.id(), STRANGER)),
          at(LATER, "stopped, late", s -> new Report.AcknowledgeCancel(s.id(), s.token())),
          last("stopped, last try", s -> new Report.AcknowledgeCancel(s.id(), s.token())),
          now("cancel", s -> new Report.Cancel(s.id())),
          at(LATER, "cancel, late", s -> new Report.Cancel(s.id())),
          now("lease lost, alive", s -> new Report.LoseLease(s.id(), s.token(), false)),
          at(LATER, "lease lost", s -> new Report.LoseLease(s.id(), s.token(), false)),
          at(LATER, "lease lost, stranger", s -> new Report.LoseLease(s.id(), STRANGER, false)),
          now("abandoned", s -> new Report.LoseLease(s.id(), s.token(), true)),
          now("abandoned, stranger", s -> new Report.LoseLease(s.id(), STRANGER, true)),
          last("abandoned, last try", s -> new Report.LoseLease(s.id(), s.token(), true)),
          at(
              MUCH_LATER,
              "lease lost, at last",
              s -> new Report.LoseLease(s.id(), s.token(), false)),
          lastAt(
              MUCH_LATER,
              "lease lost, last try",
              s -> new Report.LoseLease(s.id(), s.token(), false)),
          now("intend", s -> new Report.Intend(s.id(), s.token(), "faraway")),
          now("intend, elsewhere", s -> new Report.Intend(s.id(), s.token(), "elsewhere")),
          now("intend, stranger", s -> new Report.Intend(s.id(), STRANGER, "faraway")),
          now("unconfirmed", s -> new Report.Unconfirmed(s.id(), s.token(), "faraway")),
          now(
              "unconfirmed, elsewhere",
              s -> new Report.Unconfirmed(s.id(), s.token(), "elsewhere")),
          now("unconfirmed, stranger", s -> new Report.Unconfirmed(s.id(), STRANGER, "faraway")),
          now("accept, unintended", s -> new Report.Accept(s.id(), s.token(), "their-2")),
          now("accept, stranger", s -> new Report.Accept(s.id(), STRANGER, "their-2")),
          now("made", s -> new Report.Made(s.id(), s.token())),
          now("made, stranger", s -> new Report.Made(s.id(), STRANGER)),
          now("approve", s -> new Report.Approve(s.id(), "rita", null, null)),
          now("decline", s -> new Report.Decline(s.id(), "rita", "Blurred.")),
          of(
              "decline, consume",
              () -> new Order().declineConsumes(),
              s -> new Report.Decline(s.id(), "rita", "Blurred.")),
          now(
              "reject by policy",
              s ->
                  new Report.RejectByPolicy(
                      s.id(), "mona", new Failure("violence", "Not allowed here."))),
          now("deadline, early", s -> new Report.MissDeadline(s.id())),
          at(MUCH_LATER, "deadline", s -> new Report.MissDeadline(s.id())),
          now("due, early", s -> new Report.Promote(s.id(), 1)),
          at(MUCH_LATER, "due", s -> new Report.Promote(s.id(), 1)),
          now("reroute", s -> new Report.Reroute(s.id(), 1, 2, 0, "Sent elsewhere")),
          now("reroute, moved on", s -> new Report.Reroute(s.id(), 1, 2, 9, "Sent elsewhere")),
          now("reroute, gone", s -> new Report.Reroute(s.id(), 3, 2, 0, "Sent elsewhere")));

  // spotless:off
  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = """
      # stale, denied: refused, and nothing changed     -: taken, and nothing changed
      # beat: only the lease changed                    told: an event without a step
      # c7, r3: 7 credits consumed, 3 refunded
      # report             | pending      | queued       | running         | submitted       | waiting_review | canceling       | any terminal
      heartbeat            | stale        | stale        | beat            | -               | stale          | beat            | stale
      heartbeat, stranger  | stale        | stale        | stale           | stale           | stale          | stale           | stale
      heartbeat, late      | stale        | stale        | stale           | -               | stale          | stale           | stale
      progress             | stale        | stale        | told            | told            | stale          | told            | stale
      complete             | stale        | stale        | completed c7 r3 | completed c7 r3 | stale          | completed c7 r3 | stale
      complete, stranger   | stale        | stale        | stale           | stale           | stale          | stale           | stale
      complete, late       | stale        | stale        | stale           | completed c7 r3 | stale          | stale           | stale
      complete, review     | stale        | stale        | waiting_review  | waiting_review  | stale          | canceled r10    | stale
      fail                 | stale        | stale        | pending         | pending         | stale          | canceled r10    | stale
      fail, stranger       | stale        | stale        | stale           | stale           | stale          | stale           | stale
      fail, late           | stale        | stale        | stale           | pending         | stale          | stale           | stale
      fail, last try       | stale        | stale        | dead_letter r10 | dead_letter r10 | stale          | canceled r10    | stale
      fail for good        | stale        | stale        | failed r10      | failed r10      | stale          | canceled r10    | stale
      fail safety          | stale        | stale        | rejected c10    | rejected c10    | stale          | rejected c10    | stale
      fail safety, refund  | stale        | stale        | rejected r10    | rejected r10    | stale          | rejected r10    | stale
      requeue              | stale        | stale        | queued          | denied          | stale          | canceled r10    | stale
      requeue, stranger    | stale        | stale        | stale           | stale           | stale          | stale           | stale
      requeue, late        | stale        | stale        | stale           | denied          | stale          | stale           | stale
      requeue, last try    | stale        | stale        | dead_letter r10 | denied          | stale          | canceled r10    | stale
      stopped              | stale        | stale        | queued          | denied          | stale          | canceled r10    | stale
      stopped, stranger    | stale        | stale        | stale           | stale           | stale          | stale           | stale
      stopped, late        | stale        | stale        | stale           | denied          | stale          | stale           | stale
      stopped, last try    | stale        | stale        | dead_letter r10 | denied          | stale          | canceled r10    | stale
      cancel               | canceled r10 | canceled r10 | canceling       | canceling       | canceled r10   | -               | denied
      cancel, late         | canceled r10 | canceled r10 | canceling       | canceling       | canceled r10   | -               | denied
      lease lost, alive    | -            | -            | -               | -               | -              | -               | -
      lease lost           | -            | -            | queued          | -               | -              | canceled r10    | -
      lease lost, stranger | -            | -            | -               | -               | -              | -               | -
      abandoned            | -            | -            | queued          | -               | -              | canceled r10    | -
      abandoned, stranger  | -            | -            | -               | -               | -              | -               | -
      abandoned, last try  | -            | -            | dead_letter r10 | -               | -              | canceled r10    | -
      lease lost, at last  | -            | -            | queued          | -               | -              | canceled r10    | -
      lease lost, last try | -            | -            | dead_letter r10 | dead_letter r10 | -              | canceled r10    | -
      intend               | stale        | stale        | beat            | -               | stale          | denied          | stale
      intend, elsewhere    | stale        | stale        | beat            | denied          | stale          | denied          | stale
      intend, stranger     | stale        | stale        | stale           | stale           | stale          | stale           | stale
      unconfirmed          | stale        | stale        | submitted       | denied          | stale          | beat            | stale
      unconfirmed, elsewhere | stale      | stale        | submitted       | denied          | stale          | beat            | stale
      unconfirmed, stranger | stale       | stale        | stale           | stale           | stale          | stale           | stale
      accept, unintended   | stale        | stale        | denied          | -               | stale          | denied          | stale
      accept, stranger     | stale        | stale        | stale           | stale           | stale          | stale           | stale
      made                 | stale        | stale        | -               | told            | stale          | -               | stale
      made, stranger       | stale        | stale        | stale           | stale           | stale          | stale           | stale
      approve              | denied       | denied       | denied          | denied          | completed c7 r3 | denied         | denied
      decline              | denied       | denied       | denied          | denied          | rejected r10   | denied          | denied
      decline, consume     | denied       | denied       | denied          | denied          | rejected c7 r3 | denied          | denied
      reject by policy     | rejected r10 | rejected r10 | denied          | denied          | denied         | denied          | denied
      deadline, early      | -            | -            | -               | -               | -              | -               | -
      deadline             | expired r10  | expired r10  | expired r10     | expired r10     | expired r10    | canceled r10    | -
      due, early           | -            | -            | -               | -               | -              | -               | -
      due                  | queued       | -            | -               | -               | -              | -               | -
      reroute              | -            | told         | -               | -               | -              | -               | -
      reroute, moved on    | -            | -            | -               | -               | -              | -               | -
      reroute, gone        | -            | -            | -               | -               | -              | -               | -
      """)
  // spotless:on
  void a_report_does_in_each_state_what_the_table_says(
      String name,
      String pending,
      String queued,
      String running,
      String submitted,
      String waitingReview,
      String canceling,
      String ended) {
    Case tried = CASES.get(name);
    assertThat(tried).isNotNull();
    for (State state : State.values()) {
      String expected =
          switch (state) {
            case PENDING -> pending;
            case QUEUED -> queued;
            case RUNNING -> running;
            case SUBMITTED -> submitted;
            case WAITING_REVIEW -> waitingReview;
            case CANCELING -> canceling;
            case COMPLETED, FAILED, DEAD_LETTER, REJECTED, CANCELED, EXPIRED, BLOCKED -> ended;
          };
      assertThat(outcome(tried, state)).as("%s while %s", name, state).isEqualTo(expected);
    }
  }

  private static String outcome(Case tried, State state) {
    Bench bench = Bench.withCredits(100);
    Subject subject = Subject.in(state, bench, tried.order().get());
    bench.advance(tried.after());
    Job before = bench.job(subject.id());
    assertThat(before.state()).isEqualTo(state);
    int events = bench.tables.events.size();
    int lines = bench.tables.ledger.size();
    int attempts = bench.tables.ended.size();

    Report.Result result = bench.report(tried.report().apply(subject));

    Job after = bench.job(subject.id());
    boolean nothing =
        after.equals(before)
            && bench.tables.events.size() == events
            && bench.tables.ledger.size() == lines
            && bench.tables.ended.size() == attempts;
    return switch (result) {
      case Report.Result.StaleLease() when nothing -> "stale";
      case Report.Result.Denied(State from, _) when nothing && from == state -> "denied";
      case Report.Result.Done(Job job) when nothing && job.equals(after) -> "-";
      case Report.Result.Done(Job job) when job.equals(after) -> {
        if (bench.tables.events.size() == events) {
          assertThat(after.leased(before.lease())).isEqualTo(before);
          yield "beat";
        }
        assertThat(bench.tables.events).hasSize(events + 1);
        yield bench.tables.events.getLast().transition()
            ? after.state().label() + money(bench.tables.ledger.subList(lines, lines(bench)))
            : "told";
      }
      default -> "unexpected: " + result;
    };
  }

  private static int lines(Bench bench) {
    return bench.tables.ledger.size();
  }

  private static String money(List<LedgerLine> lines) {
    StringBuilder words = new StringBuilder();
    for (LedgerLine line : lines) {
      words.append(
          line.type() == LedgerType.JOB_CONSUME ? " c" + line.captured() : " r" + line.amount());
    }
    return words.toString();
  }

  private static Map.Entry<String, Case> now(String name, Function<Subject, Report> report) {
    return of(name, Order::new, report);
  }

  private static Map.Entry<String, Case> last(String name, Function<Subject, Report> report) {
    return of(name, () -> new Order().caps(1, 1), report);
  }

  private static Map.Entry<String, Case> of(
      String name, Supplier<Order> order, Function<Subject, Report> report) {
    return Map.entry(name, new Case(order, Duration.ZERO, report));
  }

  private static Map.Entry<String, Case> lastAt(
      Duration after, String name, Function<Subject, Report> report) {
    return Map.entry(name, new Case(() -> new Order().caps(1, 1), after, report));
  }

  private static Map.Entry<String, Case> at(
      Duration after, String name, Function<Subject, Report> report) {
    return Map.entry(name, new Case(Order::new, after, report));
  }
}
