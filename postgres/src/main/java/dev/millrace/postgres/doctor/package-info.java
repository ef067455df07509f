/**
 * The invariants of Millrace, each one query that returns no row while it holds.
 *
 * <p>They read one snapshot, take no lock that a writer waits for, and give up when they take too
 * long, so they may run on a live system at any time.
 */
@NullMarked
package dev.millrace.postgres.doctor;

import org.jspecify.annotations.NullMarked;
