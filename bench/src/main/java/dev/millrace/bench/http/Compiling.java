package dev.millrace.bench.http;

import java.io.IOException;
import java.time.Duration;

/** How long the compilers of another Java process have worked since it started. */
public final class Compiling {

  private Compiling() {}

  public static Duration of(long pid) throws IOException, InterruptedException {
    double ticks = Jcmd.counter(pid, "java.ci.totalTime");
    double perSecond = Jcmd.counter(pid, "sun.os.hrt.frequency");
    return Duration.ofMillis(Math.round(1000 * ticks / perSecond));
  }
}
