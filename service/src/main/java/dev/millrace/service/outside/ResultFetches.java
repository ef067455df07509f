package dev.millrace.service.outside;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.FetchBound;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.spi.provider.Elsewhere;
import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches results that still lie at services, apart from asking the services: however slowly they
 * come, everything else goes on. A fetch ends when nobody waits for it any more. What can't be had
 * is tried again, each time after a longer pause, until the job's own deadline; it is never ordered
 * again.
 */
final class ResultFetches {

  private static final Logger LOG = LoggerFactory.getLogger(ResultFetches.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 5;

  /** Before its deadline a job is told what the trouble was; after it the reaper would end it. */
  private static final Duration LAST_WORD = Duration.ofSeconds(30);

  private static final int MOST_REMEMBERED = 10_000;

  /** Longer than any pause and than any wait for a turn. */
  private static final Duration FORGOTTEN = Duration.ofDays(1);

  private final Handovers handovers;
  private final ResultDelivery delivery;
  private final Set<ResultFetch> underWay = ConcurrentHashMap.newKeySet();
  private final Cache<JobId, Setback> setbacks =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterWrite(FORGOTTEN).build();
  private final AbsentOutputs absent = new AbsentOutputs(InstantSource.system());
  private volatile boolean closed;

  /**
   * A result that could not be had.
   *
   * @param times how often
   * @param until when it is tried again, by {@link System#nanoTime}
   */
  private record Setback(int times, long until) {}

  ResultFetches(Handovers handovers, ResultDelivery delivery) {
    this.handovers = handovers;
    this.delivery = delivery;
  }

  /** Whether an output of it lies at an address of the service. */
  static boolean isElsewhere(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded succeeded
        && succeeded.outputs().stream().anyMatch(each -> each.content() instanceof Elsewhere);
  }

  /** Fetches a result when its turn comes, and releases the claim then. */
  void begin(FetchRoom room, Claim claim, ResultDelivery.Result result)
      throws InterruptedException {
    Optional<HandoverView> now = delivery.made(claim.work(), () -> closed);
    if (now.filter(work -> work.job().state() == State.SUBMITTED).isEmpty()) {
      claim.release(Duration.ZERO);
      return;
    }
    ResultFetch fetch = new ResultFetch(room, claim, now.get(), result);
    underWay.add(fetch);
    if (!room.enter(fetch)) {
      fetch.end(FIRST_PAUSE);
    }
  }

  /**
   * The result of this work can't be had now. It waits for us from here on, and not for its
   * service.
   *
   * @return when to try again
   */
  Duration putOff(HandoverView work, Verdicts.Postponed why) throws InterruptedException {
    LOG.warn("The result of job {} waits: {}", work.job().jobId(), why.getMessage());
    JobId job = Orders.turn(work).job();
    int times = setbacksOf(job) + 1;
    Optional<HandoverView> now = delivery.made(work, () -> closed);
    if (now.isEmpty() || now.get().job().state() != State.SUBMITTED) {
      return FIRST_PAUSE;
    }
    Duration left = left(now.get()).minus(LAST_WORD);
    Optional<Duration> wanted =
        why.absent() ? absent.pause(now.get().token()) : Optional.of(pause(times));
    if (!left.isPositive() || wanted.isEmpty()) {
      delivery.giveUp(work, why);
      forget(job);
      return FIRST_PAUSE;
    }
    Duration pause = wanted.get().compareTo(left) < 0 ? wanted.get() : left;
    setbacks.put(job, new Setback(times, System.nanoTime() + pause.toNanos()));
    return pause;
  }

  private static Duration left(HandoverView work) {
    return Duration.ofMillis(Math.round(work.job().terms().secondsLeft() * 1_000));
  }

  static Duration pause(int setbacks) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(setbacks - 1, MOST_DOUBLINGS));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  private int setbacksOf(JobId job) {
    @Nullable Setback setback = setbacks.getIfPresent(job);
    return setback == null ? 0 : setback.times;
  }

  /**
   * How long the result of this work is left alone; zero if it isn't. That it is there is known, so
   * another call of its service is no news.
   */
  Duration rest(HandoverView work) {
    @Nullable Setback setback = setbacks.getIfPresent(Orders.turn(work).job());
    long left = setback == null ? 0 : setback.until - System.nanoTime();
    return work.job().state() == State.CANCELING || left <= 0
        ? Duration.ZERO
        : Duration.ofNanos(left);
  }

  /** It was had, or given up: what comes for this job later has all patience again. */
  void forget(JobId job) {
    setbacks.invalidate(job);
  }

  /** Ends the fetches of jobs that were canceled or are over; to be called every second or so. */
  void watch() {
    if (underWay.isEmpty()) {
      return;
    }
    List<ResultFetch> all = List.copyOf(underWay);
    Map<JobId, UUID> tokens = new HashMap<>();
    all.forEach(fetch -> tokens.put(fetch.job(), fetch.work.token()));
    Set<JobId> wanted = handovers.waitedFor(tokens);
    all.stream().filter(fetch -> !wanted.contains(fetch.job())).forEach(ResultFetch::stop);
  }

  /** Nothing begins any more, and what waits for its turn is given back. */
  void close(FetchRoom room) {
    room.close().forEach(each -> ((ResultFetch) each).end(Duration.ZERO));
  }

  /** Waits for what has begun; what takes longer is stopped, and another node fetches it. */
  void finish(long end) throws InterruptedException {
    synchronized (underWay) {
      long left = end - System.nanoTime();
      while (!underWay.isEmpty() && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(underWay, left);
        left = end - System.nanoTime();
      }
    }
    closed = true;
  }

  /** One result, from waiting for its turn to its end here. */
  private final class ResultFetch implements FetchRoom.Fetch {
    private final FetchRoom room;
    private final Claim claim;
    private final HandoverView work;
    private final ResultDelivery.Result result;
    private final long deadline;
    private final int before;
    private volatile boolean unwanted;

    private ResultFetch(
        FetchRoom room, Claim claim, HandoverView work, ResultDelivery.Result result) {
      this.room = room;
      this.claim = claim;
      this.work = work;
      this.result = result;
      this.deadline = System.nanoTime() + left(work).minus(LAST_WORD).toNanos();
      this.before = setbacksOf(Orders.turn(work).job());
    }

    private JobId job() {
      return Orders.turn(work).job();
    }

    @Override
    public FetchRoom.Payer payer() {
      return new FetchRoom.Payer(work.job().tenantId(), work.job().terms().walletId());
    }

    @Override
    public int setbacks() {
      return before;
    }

    @Override
    public String name() {
      return "fetch-" + work.job().jobId();
    }

    private boolean isPointless() {
      return closed || unwanted || claim.lost();
    }

    private void stop() {
      unwanted = true;
      if (room.leave(this)) {
        Thread.ofVirtual().name(name()).start(() -> end(Duration.ZERO));
      }
    }

    @Override
    public void run() {
      Duration pause = FIRST_PAUSE;
      try {
        pause = bring();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | Error e) {
        LOG.error("Fetching the result of job {} broke off", work.job().jobId(), e);
      } finally {
        end(pause);
      }
    }

    private Duration bring() throws InterruptedException {
      try {
        delivery.deliver(work, result, new FetchBound(deadline, this::isPointless));
        forget(job());
        return FIRST_PAUSE;
      } catch (Verdicts.Postponed e) {
        return isPointless() ? Duration.ZERO : putOff(work, e);
      }
    }

    private void end(Duration pause) {
      claim.release(pause);
      synchronized (underWay) {
        underWay.remove(this);
        underWay.notifyAll();
      }
    }
  }
}
