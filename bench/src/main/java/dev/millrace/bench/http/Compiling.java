package dev.millrace.bench.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** How long the compilers of another Java process have worked since it started. */
public final class Compiling {

  private Compiling() {}

  public static Duration of(long pid) throws IOException, InterruptedException {
    String counters = Jcmd.ask(pid, "PerfCounter.print");
    double ticks = counter(counters, "java.ci.totalTime");
    double perSecond = counter(counters, "sun.os.hrt.frequency");
    return Duration.ofMillis(Math.round(1000 * ticks / perSecond));
  }

  private static double counter(String counters, String name) throws IOException {
    List<String> values =
        counters
            .lines()
            .filter(line -> line.startsWith(name + "="))
            .map(line -> line.substring(name.length() + 1))
            .toList();
    if (values.isEmpty()) {
      throw new IOException("the server does not tell " + name + ": " + counters);
    }
    return Double.parseDouble(values.getFirst());
  }
}
