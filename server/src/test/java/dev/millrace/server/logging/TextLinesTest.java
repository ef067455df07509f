package dev.millrace.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.millrace.service.observe.JobLog;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;

class TextLinesTest {

  @ParameterizedTest
  @CsvSource({"0, 0 credits", "1, 1 credit", "2, 2 credits", "11, 11 credits"})
  void one_credit_is_one(long cost, String words) {
    LoggerContext context = new LoggerContext();
    TextLines lines = new TextLines(context, false);
    lines.start();
    LoggingEvent created = new LoggingEvent();
    created.setLoggerContext(context);
    created.setLoggerName(JobLog.LOGGER);
    created.setLevel(Level.INFO);
    created.setInstant(Instant.EPOCH);
    created.setMessage("job.created");
    created.addKeyValuePair(new KeyValuePair("credits_cost", cost));
    assertThat(lines.doLayout(created)).contains(", " + words + ",");
  }
}
