package dev.millrace.service.outside;

import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.Turn;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to be the only one who asks about some work and fetches its result. It is kept until it
 * is released; if that fails for too long, it is lost, and somebody else may have it.
 */
final class Claim {

  /** How long it lasts unless it is renewed. */
  static final Duration LENGTH = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(Claim.class);
  private static final Duration RENEW = LENGTH.dividedBy(3);

  private final Handovers handovers;
  private final HandoverView work;
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread keeper;
  private volatile long end;
  private volatile boolean gone;

  private Claim(Handovers handovers, HandoverView work) {
    this.handovers = handovers;
    this.work = work;
    this.end = System.nanoTime() + LENGTH.toNanos();
    this.keeper =
        Thread.ofVirtual().name("claim-" + work.job().jobId()).unstarted(this::renewTillDone);
  }

  /** Keeps what was just claimed. */
  static Claim keep(Handovers handovers, HandoverView work) {
    Claim claim = new Claim(handovers, work);
    claim.keeper.start();
    return claim;
  }

  HandoverView work() {
    return work;
  }

  /** Whether the work is nobody's any more, or may be somebody else's. */
  boolean lost() {
    return gone || System.nanoTime() - end >= 0;
  }

  private void renewTillDone() {
    Turn turn = Orders.turn(work);
    try {
      while (!done.await(RENEW.toMillis(), TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        try {
          if (handovers.renew(turn.job(), turn.token(), LENGTH)) {
            end = now + LENGTH.toNanos();
          } else {
            gone = true;
          }
        } catch (RuntimeException e) {
          LOG.warn("The claim on job {} was not renewed", turn.jobId(), e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the work be asked about after a pause, by anybody. What was lost is not ours to give. */
  void release(Duration pause) {
    done.countDown();
    Turn turn = Orders.turn(work);
    try {
      if (!keeper.join(LENGTH)) {
        LOG.warn("Job {} will be asked about when its claim has run out", turn.jobId());
      } else if (!lost()) {
        handovers.release(turn.job(), turn.token(), pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Job {} will be asked about when its claim has run out", turn.jobId(), e);
    }
  }
}
