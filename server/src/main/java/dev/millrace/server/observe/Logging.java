package dev.millrace.server.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Where log lines go and how they look: JSON for machines, plain text for a terminal. */
public final class Logging {

  private static final String PATTERN =
      "%d{HH:mm:ss.SSS} %-5level %msg %replace(%kvp){'event=\\S+ ?', ''}%n%ex";

  private Logging() {}

  /** Replaces whatever is configured. Logs go to standard error; standard output is for people. */
  public static void configure(boolean json) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(json ? jsonEncoder(context) : textEncoder(context));
    appender.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger("dev.millrace").setLevel(Level.INFO);
    context.getLogger("millrace.jobs").setLevel(json ? Level.INFO : Level.WARN);
    // It reports a taken port with a stack trace; the start says the same in a sentence.
    context.getLogger("io.helidon.webserver.LoomServer").setLevel(Level.OFF);
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  private static Encoder<ILoggingEvent> jsonEncoder(LoggerContext context) {
    LogstashFieldNames names = new LogstashFieldNames();
    names.setTimestamp("ts");
    names.setVersion("[ignore]");
    names.setLevelValue("[ignore]");
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.setTimeZone("UTC");
    encoder.setFieldNames(names);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> textEncoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.start();
    return encoder;
  }
}
