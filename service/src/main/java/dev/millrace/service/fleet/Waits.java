package dev.millrace.service.fleet;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Queues;
import dev.millrace.postgres.jobs.WaitView;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.observe.Paces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says why a job waits, and when it may start. The first reason that holds is the one told. */
public final class Waits {

  private static final String NOT_WAITING = "not_waiting";

  private final Offers offers;
  private final Queues queues;
  private final Paces paces;
  private final InstantSource clock;
  private final Function<String, Breaker.Standing> breakers;
  private final int tenantCap;
  private final int ownSlots;

  /**
   * What is needed to tell.
   *
   * @param breakers how work is kept away from a provider, by its name
   * @param tenantCap how many jobs of a tenant may run at once; 0 for any number
   * @param ownSlots how many jobs this server executes itself, of workflows that aren't workers'
   */
  Waits(
      Offers offers,
      Queues queues,
      Paces paces,
      InstantSource clock,
      Function<String, Breaker.Standing> breakers,
      int tenantCap,
      int ownSlots) {
    this.offers = offers;
    this.queues = queues;
    this.paces = paces;
    this.clock = clock;
    this.breakers = breakers;
    this.tenantCap = tenantCap;
    this.ownSlots = ownSlots;
  }

  /**
   * The reason, in a word and in a sentence.
   *
   * @param until when it is over, if that is known
   * @param estimatedStart a guess from how long such jobs took lately; null if there is none
   */
  public record Reason(
      String cause, String message, @Nullable Instant until, @Nullable Instant estimatedStart) {

    private static Reason none(String message) {
      return new Reason(NOT_WAITING, message, null, null);
    }

    /** Whether it does not wait at all. */
    public boolean isNone() {
      return cause.equals(NOT_WAITING);
    }
  }

  /**
   * Why a job is not running yet.
   *
   * @param position its place in its queue; null if it is in none
   */
  public record Why(Reason reason, @Nullable Integer position) {}

  public Why why(JobView job) {
    Optional<Offers.Queue> queue = offers.workflow(job.request().workflowId());
    Optional<WaitView> wait =
        queues.waitOf(
            job.request().tenantId(),
            job.id(),
            queue.map(found -> found.workflow().provider()).orElse(null));
    @Nullable Integer position =
        wait.map(each -> each.place().position())
            .filter(place -> job.state() == State.QUEUED && place > 0)
            .orElse(null);
    return new Why(reason(job, queue.orElse(null), wait.orElse(null)), position);
  }

  /**
   * The reason for this job.
   *
   * @param queue null if its workflow is no longer in the catalogue
   * @param wait null if the job is over
   */
  Reason reason(JobView job, Offers.@Nullable Queue queue, @Nullable WaitView wait) {
    if (wait != null && isMade(job)) {
      return fetching(wait.askAt());
    }
    if (wait != null && wait.unconfirmed() && job.state() == State.SUBMITTED) {
      return new Reason(
          "provider_unconfirmed",
          "The provider may have the job: its answer got lost, or an earlier attempt's work is still"
              + " there. It is being asked; until it has said, nothing is sent again.",
          wait.deadlineAt(),
          null);
    }
    if (wait == null || !(job.state() == State.QUEUED || job.state() == State.PENDING)) {
      return Reason.none("The job is " + job.state().label().replace('_', ' ') + ".");
    }
    if (wait.paused()) {
      return new Reason("paused", "Its effect or workflow is paused.", null, null);
    }
    if (job.state() == State.PENDING) {
      return job.tries().attempts() == 0
          ? new Reason(
              "scheduled", "It was asked to start later.", job.times().dueAt(), job.times().dueAt())
          : new Reason(
              "backing_off",
              "An attempt failed; it rests before the next.",
              job.times().dueAt(),
              null);
    }
    boolean workers = queue != null && queue.workflow().executor().equals(Polling.EXECUTOR);
    if (queue == null || (workers && wait.fleet().workers() == 0)) {
      return new Reason("no_capable_worker", missing(wait), null, null);
    }
    int slots = workers ? wait.fleet().slots() : Math.max(1, ownSlots);
    Breaker.@Nullable Standing breaker =
        workers ? null : breakers.apply(queue.workflow().executor());
    return breaker == null || breaker.state() == Breaker.Position.CLOSED
        ? queued(job, wait, slots)
        : resting(breaker, estimate(job, wait, slots));
  }

  /** Whatever else holds it up, nothing is sent to its provider before it has rested. */
  private static Reason resting(Breaker.Standing breaker, @Nullable Instant start) {
    Instant until = breaker.until();
    if (until == null) {
      return new Reason(
          "provider_resting",
          "Its provider was in trouble. One job tries whether that is over; the others wait.",
          null,
          start);
    }
    return new Reason(
        "provider_resting",
        "Its provider is in trouble or asked for a pause. Nothing is sent to it for now.",
        until,
        start == null || start.isAfter(until) ? start : until);
  }

  private static boolean isMade(JobView job) {
    return job.state() == State.SUBMITTED && Report.Made.MESSAGE.equals(job.report().message());
  }

  private Reason fetching(@Nullable Instant next) {
    return next == null || !next.isAfter(clock.instant())
        ? new Reason(
            "fetching_result",
            "The provider has done its work. Its result is being fetched, or waits for its turn.",
            null,
            null)
        : new Reason(
            "fetching_result",
            "The provider has done its work. Its result could not be fetched, which is tried again.",
            next,
            null);
  }

  private static String missing(WaitView wait) {
    if (wait.fleet().notReady() > 0) {
      return "The workers that can run it aren't ready now.";
    }
    return wait.fleet().unapproved() == 0
        ? "No worker that can run it is there."
        : "A worker that can run it waits until an operator approves it.";
  }

  private Reason queued(JobView job, WaitView wait, int slots) {
    Instant start = estimate(job, wait, slots);
    if (wait.limits().effectCap() > 0
        && wait.limits().runningOfEffect() >= wait.limits().effectCap()) {
      return new Reason(
          "concurrency_cap",
          "As many jobs of its effect run as may, %d.".formatted(wait.limits().effectCap()),
          null,
          start);
    }
    if (tenantCap > 0 && wait.limits().runningOfTenant() >= tenantCap) {
      return new Reason(
          "concurrency_cap",
          "As many of your jobs run as may, %d.".formatted(tenantCap),
          null,
          start);
    }
    int ahead = Math.max(0, wait.place().position() - 1);
    if (wait.place().ownAhead() > 0 && 2 * wait.place().ownAhead() >= ahead) {
      return new Reason(
          "tenant_share",
          String.format(
              Locale.ROOT,
              "%d of your own jobs are in front; others have their turns.",
              wait.place().ownAhead()),
          null,
          start);
    }
    return ahead == 0
        ? new Reason("next", "It is next, as soon as a slot is free.", null, start)
        : new Reason("queue", "%d jobs are in front.".formatted(ahead), null, start);
  }

  /** Slots take turns: with four of them and jobs of a minute, the ninth starts in two minutes. */
  private @Nullable Instant estimate(JobView job, WaitView wait, int slots) {
    Paces.Pace pace =
        offers
            .find(job.request().effect())
            .map(offer -> paces.all().get(offer.terms().effectId()))
            .orElse(null);
    if (pace == null || wait.place().position() == 0 || slots == 0) {
      return null;
    }
    int free = Math.max(0, slots - wait.fleet().held());
    int rounds = Math.ceilDiv(Math.max(0, wait.place().position() - free), slots);
    return clock.instant().plusMillis(Math.round(rounds * pace.p50() * 1000));
  }
}
