/**
 * The decisions of Millrace, pure: given the rows of a batch and the database's time, what changes
 * and what each caller is told.
 *
 * <p>Nothing here reads a clock, opens a connection, parses JSON or speaks HTTP; an architecture
 * test keeps it so.
 */
@NullMarked
package dev.millrace.engine;

import org.jspecify.annotations.NullMarked;
