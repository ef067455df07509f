package dev.millrace.architecture.broken.service;

import java.util.concurrent.TimeUnit;

/** A wait in a use case that nothing ends, and one that a limit does. */
final class WaitsForEver {

  int forAProcess(Process process) throws InterruptedException {
    return process.waitFor();
  }

  boolean forAWhile(Process process) throws InterruptedException {
    return process.waitFor(1, TimeUnit.SECONDS);
  }
}
