package dev.millrace.server.api;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.millrace.server.logging.Logging;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** What a server with this look really writes to standard error. */
final class LogCapture implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  LogCapture(Logging.Look look) {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    Logging.configure(look);
  }

  List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public void close() throws JoranException {
    System.setErr(before);
    SLF4JBridgeHandler.uninstall();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    new ContextInitializer(context).autoConfig();
  }
}
