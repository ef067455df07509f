package dev.millrace.server.executor;

import dev.millrace.contract.provider.Work;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One leased job while it runs here: the provider's view of it, and what the server wants. */
final class Attempt implements Work {

  /** Why the provider should stop, the strongest last. */
  private enum Stop {
    NO,
    GIVE_BACK,
    CANCELED,
    LEASE_LOST
  }

  private final Leased leased;
  private final Map<String, Object> input;
  private final AtomicReference<@Nullable Progress> news = new AtomicReference<>();
  private final AtomicReference<Stop> stop = new AtomicReference<>(Stop.NO);
  private final Semaphore attention = new Semaphore(0);
  private volatile boolean over;

  Attempt(Leased leased, Map<String, Object> input) {
    this.leased = leased;
    this.input = input;
  }

  Leased leased() {
    return leased;
  }

  Job job() {
    return leased.job();
  }

  @Override
  public String jobId() {
    return job().id().uuid().toString();
  }

  @Override
  public int attempt() {
    return job().tries().attempts();
  }

  @Override
  public Map<String, Object> input() {
    return input;
  }

  @Override
  public void progress(int percent, String step, String message) {
    news.set(new Progress(percent, PublicText.of(step), PublicText.of(message)));
    attention.release();
  }

  @Override
  public boolean canceled() {
    return stop.get() != Stop.NO;
  }

  /** The newest progress that was not told yet, once. */
  @Nullable Progress takeNews() {
    return news.getAndSet(null);
  }

  /** Waits until there is something to tell, the attempt is over, or the time has passed. */
  void awaitNews(Duration most) throws InterruptedException {
    boolean _ = attention.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
    attention.drainPermits();
  }

  /** Waits out the time, unless the attempt is over before. */
  boolean awaitEnd(Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    while (!over && System.nanoTime() < deadline) {
      awaitNews(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime())));
    }
    return over;
  }

  void giveBack() {
    raise(Stop.GIVE_BACK);
  }

  void cancel() {
    raise(Stop.CANCELED);
  }

  void loseLease() {
    raise(Stop.LEASE_LOST);
  }

  private void raise(Stop to) {
    stop.accumulateAndGet(to, (now, then) -> now.compareTo(then) >= 0 ? now : then);
    attention.release();
  }

  boolean shouldBeGivenBack() {
    return stop.get() == Stop.GIVE_BACK;
  }

  boolean lostLease() {
    return stop.get() == Stop.LEASE_LOST;
  }

  void end() {
    over = true;
    attention.release();
  }

  boolean isOver() {
    return over;
  }
}
