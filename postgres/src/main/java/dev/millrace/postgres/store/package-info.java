/**
 * The engine's {@link dev.millrace.engine.port.Store}: batches as a few multi-row statements over
 * arrays.
 *
 * <p>Plain JDBC, because these are the hot paths. Nothing is decided here. Locks are taken in the
 * order that the port names, so two transactions can't wait for each other in a circle; the claim
 * of queued jobs skips what is locked and never waits.
 */
@NullMarked
package dev.millrace.postgres.store;

import org.jspecify.annotations.NullMarked;
