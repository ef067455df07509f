package dev.millrace.postgres.jobs;

import java.time.Instant;

/**
 * What a waiting job waits for.
 *
 * @param position in its queue, from 1; 0 if it is further back than anybody counts
 * @param ownAhead how many of those in front are its own tenant's
 * @param queued how many are in the queue, as far as anybody counts
 * @param paused whether its effect or its workflow is
 * @param effectCap how many jobs of its effect may run at once; 0 for any number
 * @param workers how many workers of the fleet could take it
 * @param unapproved how many more could, if an admin approved them
 * @param notReady how many more could, if they were ready
 * @param slots how many jobs those could hold at once
 * @param held how many they hold
 * @param unconfirmed whether nobody knows if its provider has it
 * @param deadlineAt until when it may stay in its state
 */
public record WaitView(
    int position,
    int ownAhead,
    int queued,
    boolean paused,
    int effectCap,
    int runningOfEffect,
    int runningOfTenant,
    int workers,
    int unapproved,
    int notReady,
    int slots,
    int held,
    boolean unconfirmed,
    Instant deadlineAt) {}
