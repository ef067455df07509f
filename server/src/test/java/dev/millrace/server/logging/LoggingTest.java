package dev.millrace.server.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** When lines leave the process. */
class LoggingTest {

  private final Thread own = Thread.currentThread();
  private final PrintStream before = System.err;
  private final List<String> writes = new ArrayList<>();
  private final Logger logger = LoggerFactory.getLogger("dev.millrace.test");

  /** Each of its writes would be a system call. */
  private final class Terminal extends OutputStream {
    @Override
    public void write(int one) {
      throw new IllegalStateException("byte by byte");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      // What a thread of an earlier test has to say is not this one's.
      if (Thread.currentThread().equals(own)) {
        writes.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
      }
    }
  }

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(new Terminal(), true, StandardCharsets.UTF_8));
    Logging.configure(Logging.Look.JSON);
  }

  @AfterEach
  void restore() throws JoranException {
    System.setErr(before);
    SLF4JBridgeHandler.uninstall();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    new ContextInitializer(context).autoConfig();
  }

  @Test
  void a_line_leaves_at_once() {
    logger.info("one");
    assertThat(writes).hasSize(1);
    logger.info("two");
    assertThat(writes).hasSize(2);
    assertThat(writes.getFirst()).contains("\"one\"").endsWith("\n");
  }

  @Test
  void lines_that_are_written_together_leave_together() {
    Logging.together(() -> {
      logger.info("one");
      logger.info("two");
      assertThat(writes).isEmpty();
    });
    assertThat(writes).hasSize(1);
    assertThat(writes.getFirst().lines()).hasSize(2);
  }

  @Test
  void lines_before_a_failure_leave_all_the_same() {
    assertThatThrownBy(() ->
            Logging.together(() -> {
              logger.info("one");
              throw new IllegalStateException("in the middle");
            }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(writes).hasSize(1);
  }
}
