package dev.millrace.postgres.jobs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a waiting job waits for.
 *
 * @param paused whether its effect or its workflow is
 * @param unconfirmed whether nobody knows if its provider has it
 * @param askAt when its provider is asked about it next; null while somebody asks
 * @param deadlineAt until when it may stay in its state
 */
public record WaitView(
    Place place,
    boolean paused,
    Limits limits,
    Fleet fleet,
    boolean unconfirmed,
    @Nullable Instant askAt,
    Instant deadlineAt) {

  /**
   * Where it is in its queue.
   *
   * @param position from 1; 0 if it is further back than anybody counts
   * @param ownAhead how many of those in front are its own tenant's
   * @param queued how many are in the queue, as far as anybody counts
   */
  public record Place(int position, int ownAhead, int queued) {}

  /**
   * How many run that share a limit with it.
   *
   * @param effectCap how many jobs of its effect may run at once; 0 for any number
   */
  public record Limits(int effectCap, int runningOfEffect, int runningOfTenant) {}

  /**
   * Who could run it.
   *
   * @param workers how many workers of the fleet could take it
   * @param unapproved how many more could, if an admin approved them
   * @param notReady how many more could, if they were ready
   * @param slots how many jobs those could hold at once
   * @param held how many they hold
   */
  public record Fleet(int workers, int unapproved, int notReady, int slots, int held) {}
}
