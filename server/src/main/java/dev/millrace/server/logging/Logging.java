package dev.millrace.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.millrace.service.observe.JobLog;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
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

  private static final int BUFFER_BYTES = 64 << 10;

  /** Bound while lines are written that leave together. */
  private static final ScopedValue<Boolean> TOGETHER = ScopedValue.newInstance();

  private static volatile PrintStream out = System.err;

  private Logging() {}

  /** Writes lines that leave the process when the last of them is written. */
  public static void together(Runnable lines) {
    try {
      ScopedValue.where(TOGETHER, true).run(lines);
    } finally {
      out.flush();
    }
  }

  /** Every line leaves at once, unless more are about to come: each way out is a system call. */
  private static final class Lines extends OutputStreamAppender<ILoggingEvent> {
    @Override
    protected void subAppend(ILoggingEvent event) {
      super.subAppend(event);
      if (!TOGETHER.isBound()) {
        out.flush();
      }
    }
  }

  /** Standard error itself leaves nothing in a buffer; and it stays open for the next who logs. */
  private static PrintStream buffered(PrintStream err) {
    return new PrintStream(new BufferedOutputStream(err, BUFFER_BYTES), false) {
      @Override
      public void close() {
        flush();
      }
    };
  }

  /** Replaces whatever is configured. Logs go to standard error; standard output is for people. */
  public static void configure(Look look) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    out = buffered(System.err);
    OutputStreamAppender<ILoggingEvent> appender = new Lines();
    appender.setContext(context);
    appender.setImmediateFlush(false);
    appender.setEncoder(encoder(look, context));
    appender.setOutputStream(out);
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
