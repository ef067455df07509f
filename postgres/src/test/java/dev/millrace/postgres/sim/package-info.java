/**
 * The engine's simulation on a real PostgreSQL: the same world and the same actors, with backends
 * killed before any statement and around the commit, and a clock that the schedule holds.
 *
 * <p>The production statements run unchanged: a schema before {@code pg_catalog} in the search path
 * has its own {@code clock_timestamp()}.
 */
@NullMarked
package dev.millrace.postgres.sim;

import org.jspecify.annotations.NullMarked;
