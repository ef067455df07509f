package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Callback;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks services about the work they have, and brings home what is done. A webhook only says that
 * asking is worth while now: what counts is the service's own answer. So a lost webhook costs time
 * and nothing else, and there is one way in which results come in.
 */
public final class Collector implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration CLAIM = Duration.ofMinutes(1);
  private static final Duration RENEW = CLAIM.dividedBy(3);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration AFTER_TROUBLE = Duration.ofSeconds(10);
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final Accounts accounts;
  private final List<Desk> desks = new ArrayList<>();
  private final int slots;
  private final Handovers handovers;
  private final Orders orders;
  private final Verdicts verdicts;
  private final Engine engine;
  private final Reporter reporter;
  private final UnconfirmedSubmits unheard;
  private final LeftWork left;
  private final AbsentOutputs absent = new AbsentOutputs(InstantSource.system());
  private final Semaphore news = new Semaphore(0);
  private final Thread loop;
  private volatile boolean closing;

  /** Where one service is asked. It has its own slots: one that is slow keeps nobody waiting. */
  private record Desk(String service, Breaker breaker, Semaphore free) {}

  /** Whom the collector talks to. */
  public record Parts(
      Accounts accounts,
      Function<String, Breaker> breakers,
      Handovers handovers,
      Orders orders,
      Verdicts verdicts,
      Engine engine) {}

  /**
   * @param slots how many answers of one service are awaited at once
   */
  public Collector(Parts parts, int slots) {
    this.accounts = parts.accounts;
    this.slots = slots;
    this.handovers = parts.handovers;
    this.orders = parts.orders;
    this.verdicts = parts.verdicts;
    this.engine = parts.engine;
    this.reporter = new Reporter(engine);
    this.unheard = new UnconfirmedSubmits(handovers, orders, InstantSource.system());
    this.left = new LeftWork(handovers, orders, InstantSource.system());
    for (String name : accounts.names()) {
      if (accounts.isService(name)) {
        desks.add(new Desk(name, parts.breakers.apply(name), new Semaphore(slots)));
      }
    }
    this.loop = Thread.ofVirtual().name("collector").unstarted(this::loop);
  }

  public Collector start() {
    loop.start();
    return this;
  }

  /** There may be news; looks now instead of soon. */
  public void wake() {
    news.release();
  }

  private void loop() {
    while (!closing) {
      try {
        desks.forEach(this::look);
      } catch (RuntimeException | Error e) {
        LOG.warn("Could not look for work that is out; trying again", e);
      }
      try {
        boolean _ = news.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        news.drainPermits();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void look(Desk desk) {
    int wanted = desk.free.drainPermits();
    int used = 0;
    try {
      if (wanted > 0) {
        for (HandoverView work : handovers.claim(List.of(desk.service), wanted, CLAIM)) {
          used++;
          Thread.ofVirtual().name("collect-" + work.job().jobId()).start(() -> attend(desk, work));
        }
      }
    } finally {
      desk.free.release(wanted - used);
    }
  }

  private void attend(Desk desk, HandoverView work) {
    try {
      collect(desk, work);
    } finally {
      desk.free.release();
      news.release();
    }
  }

  private void collect(Desk desk, HandoverView work) {
    CountDownLatch done = new CountDownLatch(1);
    Thread claim =
        Thread.ofVirtual().name("claim-" + work.job().jobId()).start(() -> keep(work, done));
    Duration pause = AFTER_TROUBLE;
    try {
      pause = ask(desk, work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.error("Collecting job {} from {} broke off", work.job().jobId(), work.provider(), e);
    } finally {
      done.countDown();
    }
    try {
      if (!claim.join(CLAIM)) {
        LOG.warn("Job {} will be asked about when its claim has run out", work.job().jobId());
        return;
      }
      Turn turn = Orders.turn(work);
      handovers.release(turn.job(), turn.token(), pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Job {} will be asked about when its claim has run out", work.job().jobId(), e);
    }
  }

  /** Outputs can take long to bring; meanwhile nobody else should. */
  private void keep(HandoverView work, CountDownLatch done) {
    Turn turn = Orders.turn(work);
    try {
      while (!done.await(RENEW.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          handovers.renew(turn.job(), turn.token(), CLAIM);
        } catch (RuntimeException e) {
          LOG.warn("The claim on job {} was not renewed", work.job().jobId(), e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says when to ask again; a job that is over has nobody who would. */
  private Duration ask(Desk desk, HandoverView work) throws InterruptedException {
    AsyncProvider service =
        accounts
            .service(work.provider(), work.job().tenantId())
            .orElseThrow(() -> new IllegalStateException("no account at " + work.provider()));
    @Nullable String reference = work.reference();
    if (reference == null) {
      return findOut(desk, service, work);
    }
    Order order = orders.order(work);
    if (stops(service, work, order, reference)) {
      return SOON;
    }
    return follow(desk, work, left.collect(service, order, reference));
  }

  /** False if somebody else has heard of the work meanwhile: a claim can run out. */
  private boolean isUnconfirmed(Turn turn) {
    return handovers
        .claimed(turn.job())
        .filter(work -> work.token().equals(turn.token()) && work.reference() == null)
        .isPresent();
  }

  /** Whether the job is being canceled and the service has stopped its work, as it is told here. */
  private boolean stops(AsyncProvider service, HandoverView work, Order order, String reference)
      throws InterruptedException {
    if (!canceling(work) || !stopped(service.cancel(order, reference))) {
      return false;
    }
    acknowledge(work);
    return true;
  }

  private static boolean canceling(HandoverView work) {
    return work.job().state() == State.CANCELING;
  }

  /** Nobody knows whether the service has the work; says when to ask again. */
  private Duration findOut(Desk desk, AsyncProvider service, HandoverView work)
      throws InterruptedException {
    Turn turn = Orders.turn(work);
    if (left.ask(service, turn.job())
        instanceof LeftWork.Answer.There(Order order, String reference, Standing standing)) {
      return stops(service, work, order, reference) ? SOON : follow(desk, work, standing);
    }
    return switch (unheard.ask(service, turn.job(), Orders.content(work))) {
      case UnconfirmedSubmits.Answer.Found(String reference) -> {
        reporter.tell(new Report.Accept(turn.job(), turn.token(), reference), () -> closing);
        yield Duration.ZERO;
      }
      case UnconfirmedSubmits.Answer.Settled _ -> {
        if (!isUnconfirmed(turn)) {
          yield SOON;
        }
        desk.breaker.bad();
        reporter.tell(verdicts.notTaken(turn), () -> closing);
        yield SOON;
      }
      case UnconfirmedSubmits.Answer.Unknown(String message, Duration askAfter) -> {
        LOG.info("Whether {} has job {}: {}", work.provider(), work.job().jobId(), message);
        yield askAfter;
      }
    };
  }

  /** Does what a service's word about the work asks for; says when to ask again. */
  private Duration follow(Desk desk, HandoverView work, Standing standing)
      throws InterruptedException {
    boolean canceling = canceling(work);
    return switch (standing) {
      case Standing.Going going -> {
        desk.breaker.good();
        tell(work, going);
        yield canceling ? SOON : going.askAfter();
      }
      case Standing.NoAnswer(String message, Duration askAfter) -> {
        LOG.warn("{} says nothing about job {}: {}", work.provider(), work.job().jobId(), message);
        desk.breaker.bad();
        yield canceling ? SOON : askAfter;
      }
      case Standing.Missing(String message, Duration askAfter) -> {
        LOG.warn("{} does not know job {}: {}", work.provider(), work.job().jobId(), message);
        yield canceling ? SOON : askAfter;
      }
      case Standing.Ended ended -> {
        desk.breaker.good();
        yield settle(work, ended, canceling);
      }
    };
  }

  private static boolean stopped(Cancellation answer) {
    return answer == Cancellation.STOPPED || answer == Cancellation.UNKNOWN;
  }

  private void acknowledge(HandoverView work) throws InterruptedException {
    Turn turn = Orders.turn(work);
    reporter.tell(new Report.AcknowledgeCancel(turn.job(), turn.token()), () -> closing);
  }

  /** Progress that nobody stores is no harm; the next one will be. */
  private void tell(HandoverView work, Standing.Going going) throws InterruptedException {
    engine.report(Reporter.progress(work, going));
  }

  private Duration settle(HandoverView work, Standing.Ended ended, boolean canceling)
      throws InterruptedException {
    Outcome outcome = ended.outcome();
    if (outcome instanceof Outcome.Canceled) {
      if (canceling) {
        acknowledge(work);
        return SOON;
      }
      outcome = new Outcome.Unavailable("The service stopped the work.", Optional.empty());
    }
    // A callback about an earlier attempt's work is judged late: that attempt has ended.
    Callback.Id cause =
        Optional.ofNullable(work.reference())
            .flatMap(own -> handovers.waiting(work.provider(), own))
            .map(event -> new Callback.Id(work.provider(), event))
            .orElse(null);
    Turn turn = Orders.turn(work);
    Verdicts.Ending ending = new Verdicts.Ending(outcome, ended.usage(), cause);
    try {
      report(work, verdicts.judge(turn, ending));
      return SOON;
    } catch (Verdicts.Postponed e) {
      LOG.warn("The result of job {} waits: {}", work.job().jobId(), e.getMessage());
      Optional<Duration> pause =
          e.absent() ? absent.pause(turn.token()) : Optional.of(AFTER_TROUBLE);
      if (pause.isEmpty()) {
        report(work, verdicts.absent(turn, ending, e));
      }
      return pause.orElse(SOON);
    }
  }

  private void report(HandoverView work, Verdicts.Verdict verdict) throws InterruptedException {
    Reporter.Told told = reporter.tell(verdict.report(), () -> false);
    if (told.result() instanceof Report.Result.Repeated) {
      // The callback was judged before, and its job was not: so the result counts without it.
      Report again =
          switch (verdict.report()) {
            case Report.Complete c ->
                new Report.Complete(c.job(), c.token(), c.outputs(), c.summary());
            case Report.Fail f ->
                new Report.Fail(
                    f.job(), f.token(), f.kind(), f.failure(), f.retryAfter(), f.jitter());
          };
      told = reporter.tell(again, () -> false);
    }
    if (!Reporter.accepted(verdict.report(), told)) {
      LOG.info("Job {} took nothing from its provider: {}", work.job().jobId(), told);
      if (!told.inDoubt()) {
        verdicts.discard(verdict.stored());
      }
    }
  }

  /** What is being asked may take long; its claim runs out, and another one asks. */
  @Override
  public void close() {
    closing = true;
    wake();
    try {
      long end = System.nanoTime() + DRAIN.toNanos();
      if (loop.isAlive()) {
        loop.join(DRAIN);
      }
      for (Desk desk : desks) {
        if (!desk.free.tryAcquire(slots, end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          LOG.warn("Some work that is out was still being collected");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
