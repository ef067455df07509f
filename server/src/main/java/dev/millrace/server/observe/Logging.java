package dev.millrace.server.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Where log lines go and how they look: JSON for machines, plain text for a terminal. */
public final class Logging {

  /** How lines look. */
  public enum Look {
    JSON,
    TEXT,
    /** Text with colours, for a terminal that can show them. */
    COLOURED
  }

  private Logging() {}

  /** Replaces whatever is configured. Logs go to standard error; standard output is for people. */
  public static void configure(Look look) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder(look, context));
    appender.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger("dev.millrace").setLevel(Level.INFO);
    context.getLogger(JobLog.LOGGER).setLevel(Level.INFO);
    // It reports a taken port with a stack trace; the start says the same in a sentence.
    context.getLogger("io.helidon.webserver.LoomServer").setLevel(Level.OFF);
    // At a finer level it writes whole requests, with the keys in their headers.
    context.getLogger("org.apache.hc").setLevel(Level.WARN);
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** What turns events into lines that look like this; it is started. */
  public static Encoder<ILoggingEvent> encoder(Look look, LoggerContext context) {
    Encoder<ILoggingEvent> encoder =
        look == Look.JSON ? new JsonLines(context) : textEncoder(context, look == Look.COLOURED);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> textEncoder(LoggerContext context, boolean colour) {
    TextLines lines = new TextLines(context, colour);
    lines.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(lines);
    return encoder;
  }
}
