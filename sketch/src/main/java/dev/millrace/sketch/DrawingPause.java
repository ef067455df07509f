package dev.millrace.sketch;

import java.time.Duration;

/** How the provider lets time pass; tests let it pass by hand. */
@FunctionalInterface
interface DrawingPause {
  void sleep(Duration time) throws InterruptedException;
}
