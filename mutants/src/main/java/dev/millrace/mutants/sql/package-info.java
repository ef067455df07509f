/**
 * Makes mutants of a statement from its own text: one condition, lock, order, bound or value less.
 *
 * <p>A mutant takes the same parameters as its original, so that a test fails because of what the
 * statement does and not because it can't be bound. Nothing here knows the schema: whether a mutant
 * is a statement at all is for PostgreSQL to say.
 */
@NullMarked
package dev.millrace.mutants.sql;

import org.jspecify.annotations.NullMarked;
