package dev.millrace.service.attempt;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import dev.millrace.spi.provider.Work;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One leased job while it runs here: the provider's view of it, and what the server wants. */
public final class RunningAttempt implements Work {

  /** Why the provider should stop, the strongest last. */
  private enum Stop {
    NO,
    GIVE_BACK,
    GIVE_UP,
    CANCELED,
    LEASE_LOST
  }

  private final Leased leased;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Progress news;
  private final Map<String, Object> facts = new LinkedHashMap<>();
  private volatile Map<String, Object> input = Map.of();
  private volatile Stop stop = Stop.NO;
  private volatile boolean sent;
  private volatile boolean over;

  public RunningAttempt(Leased leased) {
    this.leased = leased;
  }

  public Leased leased() {
    return leased;
  }

  public Job job() {
    return leased.job();
  }

  public Turn turn() {
    return new Turn(job().id(), attempt(), leased.token());
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

  public void read(Map<String, Object> values) {
    input = values;
  }

  @Override
  public void progress(int percent, String step, String message) {
    Progress told = new Progress(percent, OwnerText.line(step), OwnerText.line(message));
    change(() -> news = told);
  }

  /** What was sent and is paid for may end while the server stops, as long as that has time. */
  @Override
  public void summary(Map<String, Object> more) {
    change(() -> facts.putAll(more));
  }

  @Override
  public boolean canceled() {
    return stop.compareTo(sent ? Stop.GIVE_UP : Stop.GIVE_BACK) >= 0;
  }

  /**
   * From here on the work may be at a service that is paid for it, so that it is not given back.
   *
   * @return false if it should stop instead, and nothing is to be sent
   */
  public boolean send() {
    change(() -> sent = stop == Stop.NO);
    return sent;
  }

  public boolean isSent() {
    return sent;
  }

  /** The newest progress that was not told yet, once. */
  public @Nullable Progress takeNews() {
    lock.lock();
    try {
      Progress taken = news;
      news = null;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** The facts that were not told yet, once. */
  public Map<String, Object> takeFacts() {
    lock.lock();
    try {
      Map<String, Object> taken = new LinkedHashMap<>(facts);
      facts.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is something to tell, the attempt is over, or the time has passed. */
  public void awaitNews(Duration most) throws InterruptedException {
    await(most, () -> over || news != null || !facts.isEmpty());
  }

  /** Waits out the time, unless the attempt is over before; says whether it is. */
  public boolean awaitEnd(Duration most) throws InterruptedException {
    await(most, () -> over);
    return isOver();
  }

  /** Waits out the time, unless the attempt should stop before; says whether it should. */
  public boolean awaitStop(Duration most) throws InterruptedException {
    await(most, this::canceled);
    return canceled();
  }

  private void await(Duration most, BooleanSupplier enough) throws InterruptedException {
    lock.lock();
    try {
      long left = most.toNanos();
      while (!enough.getAsBoolean() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  public void giveBack() {
    change(() -> stop = max(stop, Stop.GIVE_BACK));
  }

  /** The server stops, and has no more time. */
  public void giveUp() {
    change(() -> stop = max(stop, Stop.GIVE_UP));
  }

  public void cancel() {
    change(() -> stop = max(stop, Stop.CANCELED));
  }

  public void loseLease() {
    change(() -> stop = max(stop, Stop.LEASE_LOST));
  }

  private static Stop max(Stop one, Stop other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean shouldBeGivenBack() {
    return stop == Stop.GIVE_BACK || stop == Stop.GIVE_UP;
  }

  /** Whether somebody else says what becomes of the job: its owner, or who has its lease now. */
  public boolean isUnwanted() {
    return stop.compareTo(Stop.CANCELED) >= 0;
  }

  public boolean lostLease() {
    return stop == Stop.LEASE_LOST;
  }

  public void end() {
    change(() -> over = true);
  }

  public boolean isOver() {
    return over;
  }
}
