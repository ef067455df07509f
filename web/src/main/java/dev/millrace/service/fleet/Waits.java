package dev.millrace.service.fleet;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.WaitView;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.observe.Paces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says why a job waits, and when it may start. The first reason that holds is the one told. */
public final class Waits {

  private final Offers offers;
  private final Paces paces;
  private final InstantSource clock;
  private final int tenantCap;
  private final int ownSlots;

  /**
   * What is needed to tell.
   *
   * @param tenantCap how many jobs of a tenant may run at once; 0 for any number
   * @param ownSlots how many jobs this server executes itself, of workflows that aren't workers'
   */
  Waits(Offers offers, Paces paces, InstantSource clock, int tenantCap, int ownSlots) {
    this.offers = offers;
    this.paces = paces;
    this.clock = clock;
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
      String cause, String message, @Nullable Instant until, @Nullable Instant estimatedStart) {}

  /**
   * The reason for this job.
   *
   * @param queue null if its workflow is no longer in the catalogue
   * @param wait null if the job is over
   */
  public Reason reason(JobView job, Offers.@Nullable Queue queue, @Nullable WaitView wait) {
    if (wait != null && wait.unconfirmed() && job.state().equals("submitted")) {
      return new Reason(
          "provider_unconfirmed",
          "The provider's answer got lost. It is being asked whether it has the job; until it has"
              + " said, nothing is sent again.",
          wait.deadlineAt(),
          null);
    }
    if (wait == null || !(job.state().equals("queued") || job.state().equals("pending"))) {
      return new Reason(
          "not_waiting", "The job is " + job.state().replace('_', ' ') + ".", null, null);
    }
    if (wait.paused()) {
      return new Reason("paused", "Its effect or workflow is paused.", null, null);
    }
    if (job.state().equals("pending")) {
      return job.attempts() == 0
          ? new Reason("scheduled", "It was asked to start later.", job.dueAt(), job.dueAt())
          : new Reason(
              "backing_off", "An attempt failed; it rests before the next.", job.dueAt(), null);
    }
    boolean workers = queue != null && queue.workflow().executor().equals(Polling.EXECUTOR);
    if (queue == null || (workers && wait.workers() == 0)) {
      return new Reason("no_capable_worker", missing(wait), null, null);
    }
    return queued(job, wait, workers ? wait.slots() : Math.max(1, ownSlots));
  }

  private static String missing(WaitView wait) {
    if (wait.notReady() > 0) {
      return "The workers that can run it aren't ready now.";
    }
    return wait.unapproved() == 0
        ? "No worker that can run it is there."
        : "A worker that can run it waits until an admin approves it.";
  }

  private Reason queued(JobView job, WaitView wait, int slots) {
    Instant start = estimate(job, wait, slots);
    if (wait.effectCap() > 0 && wait.runningOfEffect() >= wait.effectCap()) {
      return new Reason(
          "concurrency_cap",
          "As many jobs of its effect run as may, %d.".formatted(wait.effectCap()),
          null,
          start);
    }
    if (tenantCap > 0 && wait.runningOfTenant() >= tenantCap) {
      return new Reason(
          "concurrency_cap",
          "As many of your jobs run as may, %d.".formatted(tenantCap),
          null,
          start);
    }
    int ahead = Math.max(0, wait.position() - 1);
    if (wait.ownAhead() > 0 && 2 * wait.ownAhead() >= ahead) {
      return new Reason(
          "tenant_share",
          String.format(
              Locale.ROOT,
              "%d of your own jobs are in front; others have their turns.",
              wait.ownAhead()),
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
            .find(job.effect())
            .map(offer -> paces.all().get(offer.terms().effectId()))
            .orElse(null);
    if (pace == null || wait.position() == 0 || slots == 0) {
      return null;
    }
    int free = Math.max(0, slots - wait.held());
    int rounds = Math.ceilDiv(Math.max(0, wait.position() - free), slots);
    return clock.instant().plusMillis(Math.round(rounds * pace.p50() * 1000));
  }
}
