package dev.millrace.server.identity;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Whatever is logged, down to the least. */
final class LogLines implements AutoCloseable {

  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Logger ours = (Logger) LoggerFactory.getLogger("dev.millrace");
  private final Level before = ours.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  LogLines() {
    lines.start();
    root.addAppender(lines);
    ours.setLevel(Level.TRACE);
  }

  List<String> all() {
    return List.copyOf(lines.list).stream()
        .map(event -> event.getFormattedMessage() + " " + event.getThrowableProxy())
        .toList();
  }

  @Override
  public void close() {
    root.detachAppender(lines);
    ours.setLevel(before);
  }
}
