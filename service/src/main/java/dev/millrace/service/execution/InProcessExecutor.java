package dev.millrace.service.execution;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills its slots with one provider's jobs and runs each on a thread of its own. It learns of new
 * work by a signal, and looks by itself now and then, in case one was lost. Each provider has its
 * own, so that none waits for another's slots.
 */
public final class InProcessExecutor implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(InProcessExecutor.class);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration PAUSE_AFTER_TROUBLE = Duration.ofSeconds(1);

  /** This part of the drain is for telling what became of work that did not end in it. */
  private static final int LAST_WORD_SHARE = 5;

  /** How the executor behaves. */
  public record Config(String worker, int slots, Duration drain) {}

  private final Config config;
  private final String provider;
  private final Breaker breaker;
  private final Offers offers;
  private final Engine engine;
  private final Hub hub;
  private final AttemptRunner runner;
  private final Semaphore free;
  private final Set<RunningAttempt> running = ConcurrentHashMap.newKeySet();
  private final Thread loop;
  private volatile boolean draining;
  private volatile Waiter waiter;

  public InProcessExecutor(
      Config config,
      String provider,
      Breaker breaker,
      Offers offers,
      Engine engine,
      Hub hub,
      AttemptRunner runner) {
    this.config = config;
    this.provider = provider;
    this.breaker = breaker;
    this.offers = offers;
    this.engine = engine;
    this.hub = hub;
    this.runner = runner;
    this.free = new Semaphore(config.slots());
    this.waiter = hub.forQueues(List.of());
    this.loop = Thread.ofVirtual().name("executor-" + provider).unstarted(this::loop);
  }

  String provider() {
    return provider;
  }

  int slots() {
    return config.slots();
  }

  /** How many jobs it runs. */
  int busy() {
    return running.size();
  }

  /** How many more jobs it would start now. */
  int room() {
    return draining || breaker.open() ? 0 : free.availablePermits();
  }

  public InProcessExecutor start() {
    loop.start();
    return this;
  }

  private void loop() {
    while (!draining) {
      try {
        fillSlots();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException | Error e) {
        // Whatever it was, an executor that stops asking would look like one without work.
        LOG.warn("Could not ask for work; trying again", e);
        rest();
      }
    }
  }

  private void rest() {
    try {
      waiter.await(PAUSE_AFTER_TROUBLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fillSlots() throws InterruptedException {
    List<Integer> queues = offers.queuesOf(Set.of(provider));
    try (Waiter news = hub.forQueues(queues)) {
      waiter = news;
      if (!free.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      int slots = 1 + free.drainPermits();
      int wanted = draining || queues.isEmpty() ? 0 : breaker.allowed(slots);
      int used = 0;
      try {
        List<Leased> leased =
            wanted == 0 ? List.of() : engine.lease(new LeaseJobs(config.worker(), queues, wanted));
        for (Leased job : leased) {
          begin(job);
          used++;
        }
      } finally {
        free.release(slots - used);
      }
      if (used == 0 && !draining) {
        Duration rest = breaker.rest();
        news.await(rest.isZero() || rest.compareTo(LOOK) > 0 ? LOOK : rest);
      } else if (wanted < slots && !draining) {
        // One job tries whether the provider is well again; the others wait for its word.
        awaitWord(news);
      }
    }
  }

  private void awaitWord(Waiter news) throws InterruptedException {
    while (!draining && !running.isEmpty() && breaker.open()) {
      news.await(PAUSE_AFTER_TROUBLE);
    }
  }

  private void begin(Leased leased) {
    RunningAttempt attempt = new RunningAttempt(leased);
    running.add(attempt);
    Thread.ofVirtual()
        .name("attempt-" + leased.job().id().uuid())
        .start(() -> {
          try {
            if (draining) {
              attempt.giveBack();
            }
            runner.run(attempt, provider).ifPresentOrElse(breaker::hear, breaker::good);
          } finally {
            running.remove(attempt);
            free.release();
          }
        });
  }

  /** Takes no more work, and asks what runs to stop. */
  public void stopAsking() {
    draining = true;
    waiter.wake();
    running.forEach(RunningAttempt::giveBack);
  }

  /**
   * Stops, and gives the leases back to the queue. What is paid for elsewhere may end meanwhile;
   * near the end it is given up.
   */
  @Override
  public void close() {
    stopAsking();
    Duration last = config.drain().dividedBy(LAST_WORD_SHARE);
    try {
      if (isIdleWithin(config.drain().minus(last))) {
        return;
      }
      running.forEach(RunningAttempt::giveUp);
      if (!isIdleWithin(last)) {
        LOG.warn("{} attempts did not stop in time; their leases will run out", running.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The loop's own permit may be held while it waits for news; all permits back means idle. */
  private boolean isIdleWithin(Duration most) throws InterruptedException {
    boolean idle = free.tryAcquire(config.slots(), most.toMillis(), TimeUnit.MILLISECONDS);
    if (idle) {
      free.release(config.slots());
    }
    return idle;
  }
}
