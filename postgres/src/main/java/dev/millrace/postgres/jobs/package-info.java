/** Reads of jobs and queues, and of what is done with many jobs. No lock is taken here. */
@NullMarked
package dev.millrace.postgres.jobs;

import org.jspecify.annotations.NullMarked;
