package dev.millrace.service.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.engine.job.AfterEnd;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.Price;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lines that a served job does not write. */
class JobLogTest {

  private static final Instant START = Instant.parse("2026-03-09T15:30:00Z");

  private final Logger logger =
      ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(JobLog.LOGGER);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final JobLog log = new JobLog(_ -> "sketch/poster", Runnable::run);

  @BeforeEach
  void listen() {
    appender.start();
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(Level.ERROR);
  }

  @Test
  void an_approved_job_says_how_many_of_its_outputs_were_let_through() {
    Job job =
        job(State.COMPLETED, new Hold(1, 5, false, 3), null)
            .with(new Summary(new TreeMap<>(Map.of("approved", "2", "declined", "1"))));

    log.write(JobEvent.of(job, Trigger.APPROVE, State.WAITING_REVIEW), job, List.of());

    assertThat(lines())
        .containsExactly(
            "event=job.transition from_status=waiting_review to_status=completed trigger=approve"
                + " attempt=1 tenant=7",
            "event=job.completed outputs=2 credits_captured=3 credits_refunded=2 duration_ms=1500"
                + " tenant=7");
  }

  @Test
  void an_error_code_that_is_not_a_plain_word_is_not_repeated() {
    Failure failure =
        new Failure(
            "https://example.org/?token=1",
            "It broke. Key sk-proj-abcdefghijklmnopqrstuvwx1234567890");
    Job job = job(State.FAILED, new Hold(1, 5, false, 0), failure);

    log.write(JobEvent.of(job, Trigger.PERMANENT_ERROR, State.RUNNING), job, List.of());

    assertThat(lines().getLast())
        .isEqualTo(
            "event=job.failed error_code=other error=It broke. Key [secret] status=failed credits_refunded=5 attempts=1"
                + " tenant=7");
  }

  private List<String> lines() {
    return appender.list.stream()
        .map(event ->
            event.getKeyValuePairs().stream()
                .filter(pair -> !pair.key.equals("job_id"))
                .map(pair -> pair.key + "=" + pair.value)
                .reduce((a, b) -> a + " " + b)
                .orElse(""))
        .toList();
  }

  private static Job job(State state, Hold hold, @Nullable Failure failure) {
    Instant end = START.plusMillis(1500);
    return new Job(
        new JobId(7, new UUID(1, 2)),
        new JobTerms(1, 2, 3, 0, 60, 60, new JobTerms.Rules(true, false, false, Price.OF_THE_JOB)),
        state,
        new Job.History(4, Progress.NONE, Summary.EMPTY),
        new Job.Work(new Tries(1, 0, 0, 3, 10), null, 0),
        hold,
        new Times(START, START, START, end, null, end),
        new Job.Ending(failure, AfterEnd.NONE));
  }
}
