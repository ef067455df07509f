/**
 * The states of a job and every allowed way between them, as one table.
 *
 * <p>The table has positive rows only: an edge that is not in it does not exist, is refused, and
 * changes nothing. {@code docs/lifecycle.md} is generated from it, the database's {@code
 * lifecycle_edge} is checked against it, and no other code knows which transition is legal.
 */
@NullMarked
package dev.millrace.engine.lifecycle;

import org.jspecify.annotations.NullMarked;
