package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Phase;
import dev.millrace.providers.fetch.FetchResult.Stopped;
import dev.millrace.providers.fetch.FetchResult.TimedOut;
import dev.millrace.providers.fetch.FetchResult.Trouble;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a fetch from outside, by closing its socket under it. A server that sends a byte now and
 * then keeps every read short, so only somebody who looks at the whole can tell that it is enough.
 */
final class FetchDeadline implements AutoCloseable {

  private static final long LOOK_MILLIS = 50;

  private final BooleanSupplier stop;
  private final long end;
  private final CountDownLatch over = new CountDownLatch(1);
  private long phaseEnd;
  private Phase phase = Phase.TOTAL;
  private @Nullable Socket socket;
  private @Nullable Trouble pulled;

  private FetchDeadline(Duration total, BooleanSupplier stop) {
    this.stop = stop;
    this.end = System.nanoTime() + total.toNanos();
    this.phaseEnd = end;
  }

  static FetchDeadline tied(Duration total, BooleanSupplier stop) {
    FetchDeadline deadline = new FetchDeadline(total, stop);
    Thread.ofVirtual().name("fetch-deadline").start(deadline::watch);
    return deadline;
  }

  /** From now on the current step may take so long. */
  synchronized void within(Duration most, Phase step) {
    phase = step;
    phaseEnd = System.nanoTime() + most.toNanos();
  }

  /** From now on only the total counts. */
  synchronized void unhurried() {
    phase = Phase.TOTAL;
    phaseEnd = end;
  }

  /** The socket to close when it is enough; the one before, if any, is closed now. */
  synchronized Socket attach(Socket next) throws IOException {
    closeSocket();
    if (pulled != null) {
      next.close();
      throw new FetchTrouble(pulled);
    }
    socket = next;
    return next;
  }

  synchronized void idle(Duration most) throws IOException {
    if (socket != null) {
      socket.setSoTimeout(Math.toIntExact(Math.max(1, most.toMillis())));
    }
  }

  /** Why it was ended, if it was. */
  synchronized Optional<Trouble> pulled() {
    if (pulled == null) {
      look();
    }
    return Optional.ofNullable(pulled);
  }

  private void watch() {
    try {
      while (!over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (pulled().isPresent()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void look() {
    long now = System.nanoTime();
    if (stop.getAsBoolean()) {
      pulled = new Stopped();
    } else if (now - end >= 0) {
      pulled = new TimedOut(Phase.TOTAL);
    } else if (now - phaseEnd >= 0) {
      pulled = new TimedOut(phase);
    }
    if (pulled != null) {
      closeSocket();
    }
  }

  private synchronized void closeSocket() {
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is gone either way.
      }
      socket = null;
    }
  }

  /** Closes the connection at once: what was not read by now is not wanted. */
  @Override
  public void close() {
    over.countDown();
    closeSocket();
  }
}
