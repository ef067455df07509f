package dev.millrace.cli.api;

import java.time.Duration;

/** How waiting between two tries is done; tests put something faster in its place. */
@FunctionalInterface
public interface RetryWait {

  void sleep(Duration duration) throws InterruptedException;
}
