/**
 * A store in memory, strict where a database is: it refuses locks out of order, duplicate keys and
 * changes to what was not locked, and it checks the laws of the data after each transaction.
 *
 * <p>It is for tests with one thread.
 */
@NullMarked
package dev.millrace.engine.memory;

import org.jspecify.annotations.NullMarked;
