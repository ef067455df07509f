package dev.millrace.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Callers in a closed loop, each on a virtual thread: each waits for its answer before it asks
 * again.
 */
public final class Load {

  private final Meter meter = new Meter();
  private final CountDownLatch failed = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stop;

  /** What one caller does again and again; it ends what it began before it returns. */
  @FunctionalInterface
  public interface Caller {
    void once(Meter meter) throws Exception;
  }

  private Load() {}

  /** Runs the callers for the span. The first that fails ends the measure. */
  public static Measured run(int callers, Span span, IntFunction<Caller> made)
      throws InterruptedException {
    return new Load().measure(callers, span, made);
  }

  private Measured measure(int callers, Span span, IntFunction<Caller> made)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>(callers);
    for (int i = 0; i < callers; i++) {
      Caller caller = made.apply(i);
      threads.add(Thread.ofVirtual().name("caller-" + i).start(() -> loop(caller)));
    }
    boolean trouble = waits(span.warmUp());
    meter.on();
    long start = System.nanoTime();
    trouble = trouble || waits(span.measure());
    while (!trouble && meter.rounds() == 0) {
      // A figure from nothing would be none; only a very slow machine comes here.
      trouble = waits(Duration.ofMillis(20));
    }
    meter.off();
    double seconds = (System.nanoTime() - start) / 1e9;
    stop = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable cause = failure.get();
    if (trouble || cause != null) {
      throw new IllegalStateException("a caller failed", cause);
    }
    return new Measured(seconds, meter.rounds(), meter.ever(), meter.times());
  }

  /** True if somebody failed meanwhile. */
  private boolean waits(Duration time) throws InterruptedException {
    return failed.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void loop(Caller caller) {
    try {
      while (!stop) {
        caller.once(meter);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      stop = true;
      failed.countDown();
    }
  }
}
