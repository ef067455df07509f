package dev.millrace.server.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.millrace.service.observe.JobLog;
import java.util.List;
import net.logstash.logback.composite.JsonProvider;
import net.logstash.logback.composite.loggingevent.KeyValuePairsJsonProvider;
import net.logstash.logback.composite.loggingevent.LogLevelJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggerNameJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventFormattedTimestampJsonProvider;
import net.logstash.logback.composite.loggingevent.MdcJsonProvider;
import net.logstash.logback.composite.loggingevent.MessageJsonProvider;
import net.logstash.logback.composite.loggingevent.StackTraceJsonProvider;
import net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder;

/**
 * A line is one JSON object that begins with {@code ts}. Lines about jobs have only their facts
 * after it; the others have level, logger, message, context and stack trace.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};

  private final LoggingEventCompositeJsonEncoder jobs;
  private final LoggingEventCompositeJsonEncoder others;

  JsonLines(LoggerContext context) {
    setContext(context);
    jobs = encoder(context, List.of(new KeyValuePairsJsonProvider()));
    others =
        encoder(
            context,
            List.of(
                new LogLevelJsonProvider(),
                new LoggerNameJsonProvider(),
                new MessageJsonProvider(),
                new MdcJsonProvider(),
                new KeyValuePairsJsonProvider(),
                new StackTraceJsonProvider()));
  }

  private static LoggingEventCompositeJsonEncoder encoder(
      LoggerContext context, List<JsonProvider<ILoggingEvent>> fields) {
    var time = new LoggingEventFormattedTimestampJsonProvider();
    time.setFieldName("ts");
    time.setTimeZone("UTC");
    time.setPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
    var encoder = new LoggingEventCompositeJsonEncoder();
    encoder.setContext(context);
    encoder.getProviders().addProvider(time);
    fields.forEach(encoder.getProviders()::addProvider);
    return encoder;
  }

  @Override
  public void start() {
    jobs.start();
    others.start();
    super.start();
  }

  @Override
  public void stop() {
    super.stop();
    jobs.stop();
    others.stop();
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return (event.getLoggerName().equals(JobLog.LOGGER) ? jobs : others).encode(event);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
