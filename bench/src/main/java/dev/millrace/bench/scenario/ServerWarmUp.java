package dev.millrace.bench.scenario;

import dev.millrace.bench.http.Compiling;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Span;
import java.time.Duration;

/**
 * Lets a server that has just started compile what it needs. On two cores its compiler takes a
 * quarter of the machine for a minute, which nobody wants to measure: servers run for weeks.
 */
final class ServerWarmUp {

  private static final int CLIENTS = 64;
  private static final Duration ROUND = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(90);

  /** The compiler's part of a round that is no longer worth waiting for. */
  private static final double QUIET = 0.10;

  private ServerWarmUp() {}

  /** Some work for the server, for so long. */
  interface Work {
    void run(Duration time) throws Exception;
  }

  /**
   * Runs lifecycles over HTTP until the compiler is quiet.
   *
   * @param server that lets workers register
   */
  static void run(ServerProcess server, Sizes sizes) throws Exception {
    run(
        server,
        sizes,
        time -> HttpLifecycle.measure(server, CLIENTS, sizes.with(new Span(Duration.ZERO, time))));
  }

  /** Does some work again and again until the compiler is quiet. */
  static void run(ServerProcess server, Sizes sizes, Work work) throws Exception {
    Duration measure = sizes.span().measure();
    Duration round = measure.compareTo(Duration.ofSeconds(1)) < 0 ? measure : ROUND;
    Duration longest = round.equals(ROUND) ? LONGEST : measure;
    Duration spent = Duration.ZERO;
    while (spent.compareTo(longest) < 0) {
      Duration before = Compiling.of(server.pid());
      work.run(round);
      spent = spent.plus(round);
      Duration compiled = Compiling.of(server.pid()).minus(before);
      if (compiled.toMillis() < QUIET * round.toMillis()) {
        return;
      }
    }
  }
}
