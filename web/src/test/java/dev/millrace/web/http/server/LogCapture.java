package dev.millrace.web.http.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Collects what this package logs, and keeps it from the console. */
final class LogCapture implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger(LogCapture.class.getPackageName());
  private final ListAppender<ILoggingEvent> appender =
      new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
          // The context belongs to the thread that logs, so it must be taken now.
          event.prepareForDeferredProcessing();
          super.append(event);
        }
      };

  LogCapture() {
    appender.start();
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  List<ILoggingEvent> events() {
    return List.copyOf(appender.list);
  }

  List<String> lines() {
    return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
  }
}
