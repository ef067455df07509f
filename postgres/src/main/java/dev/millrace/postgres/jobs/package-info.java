/**
 * Jobs and queues as they are shown, tasks that act on many jobs, and what deleted jobs leave
 * behind.
 *
 * <p>Reads take no lock. Written here are only tasks, of which a node takes the next one that no
 * other has ({@code skip locked}), and the leftovers of jobs that were deleted; a live job changes
 * in a batch of the store alone.
 */
@NullMarked
package dev.millrace.postgres.jobs;

import org.jspecify.annotations.NullMarked;
