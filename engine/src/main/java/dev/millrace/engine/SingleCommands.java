package dev.millrace.engine;

import dev.millrace.engine.lane.BatchHandler;
import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs commands that are a transaction of their own, on the threads of their callers. They share
 * the lanes' connections, so none of them keeps one while it waits for somebody else's row.
 */
final class SingleCommands {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final int MOST_DOUBLINGS = 5;

  /** Ten seconds or so. */
  private static final int MOST_TRIES = 20;

  /** One at a time may stand in line for an instant; who only looks may be unlucky for ever. */
  private final Semaphore line = new Semaphore(1);

  <C, R> R run(BatchHandler<C, R> handler, C command) {
    for (int tries = 0; tries < MOST_TRIES && !Thread.currentThread().isInterrupted(); tries++) {
      try {
        BatchHandler.Partly<R> part = tries > 0 ? inLine(handler, command) : free(handler, command);
        if (part.busy().isEmpty()) {
          return part.answers().get().getFirst();
        }
      } catch (Store.Busy _) {
        // It comes again.
      }
      if (tries > 0) {
        LockSupport.parkNanos(FIRST_PAUSE.toNanos() << Math.min(tries, MOST_DOUBLINGS));
      }
    }
    throw new Store.Busy(
        "somebody else holds what it needs for too long", new TimeoutException("put off"));
  }

  private <C, R> BatchHandler.Partly<R> free(BatchHandler<C, R> handler, C command) {
    return handler.runFree(List.of(command));
  }

  private <C, R> BatchHandler.Partly<R> inLine(BatchHandler<C, R> handler, C command) {
    if (!line.tryAcquire()) {
      return free(handler, command);
    }
    try {
      return new BatchHandler.Partly<>(Set.of(), handler.runBriefly(List.of(command)));
    } finally {
      line.release();
    }
  }
}
