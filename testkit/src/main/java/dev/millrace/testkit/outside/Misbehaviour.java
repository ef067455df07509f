package dev.millrace.testkit.outside;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** How a double gets into trouble with a request. */
final class Misbehaviour {

  static final int RETRY_AFTER_SECONDS = 7;
  private static final int HUGE = 9 << 20;

  private final CountDownLatch closing;

  /**
   * @param closing until when silence lasts
   */
  Misbehaviour(CountDownLatch closing) {
    this.closing = closing;
  }

  /**
   * Answers, or doesn't.
   *
   * @param doIt does what was asked for; not called for what goes wrong before
   */
  void show(HttpExchange exchange, Mishap mishap, Runnable doIt) throws IOException {
    switch (mishap) {
      case Mishap.Usual(Trouble trouble) -> show(exchange, trouble, doIt);
      case Mishap.Says(Answered said, boolean taken) -> {
        if (taken) {
          doIt.run();
        }
        reply(exchange, said);
      }
    }
  }

  private void show(HttpExchange exchange, Trouble trouble, Runnable doIt) throws IOException {
    switch (trouble) {
      case CUT_BEFORE -> exchange.close();
      case CUT_AFTER -> {
        doIt.run();
        exchange.close();
      }
      case SILENT_BEFORE -> beSilent(exchange);
      case SILENT_AFTER -> {
        doIt.run();
        beSilent(exchange);
      }
      case THROTTLED ->
          reply(
              exchange,
              Answered.json(429, "{\"detail\":\"Request was throttled.\"}")
                  .with("Retry-After", String.valueOf(RETRY_AFTER_SECONDS)));
      case BROKEN -> reply(exchange, Answered.json(500, "{\"detail\":\"Internal\"}"));
      case BAD_GATEWAY ->
          reply(exchange, new Answered(502, Map.of(), "<html><h1>Bad gateway</h1></html>"));
      case UNAUTHORIZED ->
          reply(
              exchange,
              Answered.json(
                  401,
                  "{\"title\":\"Unauthenticated\",\"detail\":\"You did not pass a valid"
                      + " authentication token\",\"status\":401}"));
      case INVALID ->
          reply(
              exchange,
              Answered.json(
                  422,
                  "{\"title\":\"Input validation failed\",\"detail\":\"- input.prompt:"
                      + " required\\n\",\"status\":422}"));
      case GARBAGE -> {
        doIt.run();
        reply(exchange, new Answered(200, Map.of(), "{\"id\": \0 <oops"));
      }
      case HUGE -> {
        doIt.run();
        reply(
            exchange, Answered.json(200, "{\"id\":\"" + "x".repeat(HUGE) + "\",\"status\":\"a\"}"));
      }
    }
  }

  private void beSilent(HttpExchange exchange) {
    try {
      closing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.close();
  }

  static void reply(HttpExchange exchange, Answered answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    try (exchange) {
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      // Whoever asked has hung up, which is their right.
      exchange.close();
    }
  }
}
