package dev.millrace.service.guard;

/**
 * Decides whether an input may become a job. It is asked by many threads at once, and before any
 * credits are reserved.
 */
@FunctionalInterface
public interface Gate {

  Verdict check(GateRequest request) throws InterruptedException;
}
