package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.attempt.FetchBound;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks services about the work they have, and has what is done fetched. A webhook only says that
 * asking is worth while now: what counts is the service's own answer. So a lost webhook costs time
 * and nothing else, and there is one way in which results come in.
 */
public final class Collector implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration WATCH = Duration.ofSeconds(1);
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
  private final ResultDelivery delivery;
  private final ResultFetches fetches;
  private final Semaphore news = new Semaphore(0);
  private final Thread loop;
  private volatile boolean closing;

  /**
   * Where one service is asked, and its results are fetched. It has its own slots for each: one
   * that is slow keeps nobody waiting, and a result that is slow keeps no question waiting.
   */
  private record Desk(String service, Breaker breaker, Semaphore free, FetchRoom room) {}

  /**
   * How many results of a service are fetched on this node.
   *
   * @param slots how many could be at once
   * @param waiting how many wait for their turn
   */
  public record Fetching(int busy, int slots, int waiting) {}

  /** Whom the collector talks to. */
  public record Parts(
      Accounts accounts,
      Function<String, Breaker> breakers,
      Handovers handovers,
      Orders orders,
      Verdicts verdicts,
      Engine engine) {}

  /**
   * @param slots how many answers of one service are awaited at once, and how many of its results
   *     are fetched at once
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
    this.delivery = new ResultDelivery(handovers, parts.verdicts, engine);
    this.fetches = new ResultFetches(handovers, delivery);
    for (String name : accounts.names()) {
      if (accounts.isService(name)) {
        Semaphore free = new Semaphore(slots);
        desks.add(new Desk(name, parts.breakers.apply(name), free, new FetchRoom(slots)));
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

  /** What of a service's results is under way here; empty if it is none of ours. */
  public Optional<Fetching> fetching(String service) {
    return desks.stream()
        .filter(desk -> desk.service.equals(service))
        .map(desk -> desk.room.standing())
        .map(room -> new Fetching(room.busy(), room.places(), room.waiting()))
        .findFirst();
  }

  private void loop() {
    long watched = System.nanoTime();
    while (!closing) {
      try {
        desks.forEach(this::look);
        if (System.nanoTime() - watched >= WATCH.toNanos()) {
          watched = System.nanoTime();
          fetches.watch();
        }
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
        for (HandoverView work : handovers.claim(List.of(desk.service), wanted, Claim.LENGTH)) {
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
    Claim claim = Claim.keep(handovers, work);
    Next next = new Next.Ask(AFTER_TROUBLE);
    try {
      next = ask(desk, work);
      if (next instanceof Next.Fetch(ResultDelivery.Result result)) {
        fetches.begin(desk.room, claim, result);
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.error("Collecting job {} from {} broke off", work.job().jobId(), work.provider(), e);
    }
    claim.release(next instanceof Next.Ask(Duration pause) ? pause : AFTER_TROUBLE);
  }

  /** What is to be done about work after its service was asked. */
  private sealed interface Next {
    /** Its service is asked again after a pause. A job that is over has nobody who would. */
    record Ask(Duration pause) implements Next {}

    /** Its result is there, and lies elsewhere. */
    record Fetch(ResultDelivery.Result result) implements Next {}
  }

  private Next ask(Desk desk, HandoverView work) throws InterruptedException {
    Duration rest = fetches.rest(work);
    if (rest.isPositive()) {
      return new Next.Ask(rest);
    }
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
      return new Next.Ask(SOON);
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
    delivery.acknowledgeCancel(work, () -> closing);
    return true;
  }

  private static boolean canceling(HandoverView work) {
    return work.job().state() == State.CANCELING;
  }

  /** Nobody knows whether the service has the work. */
  private Next findOut(Desk desk, AsyncProvider service, HandoverView work)
      throws InterruptedException {
    Turn turn = Orders.turn(work);
    if (left.ask(service, turn.job())
        instanceof LeftWork.Answer.There(Order order, String reference, Standing standing)) {
      return stops(service, work, order, reference)
          ? new Next.Ask(SOON)
          : follow(desk, work, standing);
    }
    return switch (unheard.ask(service, turn.job(), Orders.content(work))) {
      case UnconfirmedSubmits.Answer.Found(String reference) -> {
        reporter.tell(new Report.Accept(turn.job(), turn.token(), reference), () -> closing);
        yield new Next.Ask(Duration.ZERO);
      }
      case UnconfirmedSubmits.Answer.Settled _ -> {
        if (!isUnconfirmed(turn)) {
          yield new Next.Ask(SOON);
        }
        desk.breaker.bad();
        reporter.tell(verdicts.notTaken(turn), () -> closing);
        yield new Next.Ask(SOON);
      }
      case UnconfirmedSubmits.Answer.Unknown(String message, Duration askAfter) -> {
        LOG.info("Whether {} has job {}: {}", work.provider(), work.job().jobId(), message);
        yield new Next.Ask(askAfter);
      }
    };
  }

  /** Does what a service's word about the work asks for. */
  private Next follow(Desk desk, HandoverView work, Standing standing) throws InterruptedException {
    boolean canceling = canceling(work);
    return switch (standing) {
      case Standing.Going going -> {
        desk.breaker.good();
        tell(work, going);
        yield new Next.Ask(canceling ? SOON : going.askAfter());
      }
      case Standing.NoAnswer(String message, Duration askAfter) -> {
        LOG.warn("{} says nothing about job {}: {}", work.provider(), work.job().jobId(), message);
        desk.breaker.bad();
        yield new Next.Ask(canceling ? SOON : askAfter);
      }
      case Standing.Missing(String message, Duration askAfter) -> {
        LOG.warn("{} does not know job {}: {}", work.provider(), work.job().jobId(), message);
        yield new Next.Ask(canceling ? SOON : askAfter);
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

  /** Progress that nobody stores is no harm; the next one will be. */
  private void tell(HandoverView work, Standing.Going going) throws InterruptedException {
    engine.report(Reporter.progress(work, going));
  }

  private Next settle(HandoverView work, Standing.Ended ended, boolean canceling)
      throws InterruptedException {
    Outcome outcome = ended.outcome();
    // Nobody wants the result of a canceled job so much that it would be fetched.
    if (canceling && (outcome instanceof Outcome.Canceled || ResultFetches.isElsewhere(outcome))) {
      delivery.acknowledgeCancel(work, () -> closing);
      return new Next.Ask(SOON);
    }
    if (outcome instanceof Outcome.Canceled) {
      outcome = new Outcome.Unavailable("The service stopped the work.", Optional.empty());
    }
    ResultDelivery.Result result = new ResultDelivery.Result(outcome, ended.usage());
    if (ResultFetches.isElsewhere(outcome)) {
      return new Next.Fetch(result);
    }
    try {
      delivery.deliver(work, result, FetchBound.within(Claim.LENGTH, () -> closing));
      fetches.forget(Orders.turn(work).job());
      return new Next.Ask(SOON);
    } catch (Verdicts.Postponed e) {
      return new Next.Ask(fetches.putOff(work, e));
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
        fetches.close(desk.room);
      }
      fetches.finish(end);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
