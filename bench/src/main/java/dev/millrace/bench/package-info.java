/**
 * {@code ./millrace bench}: measures Millrace on this machine, on a real PostgreSQL that waits for
 * its disk. Nothing else in Millrace knows this module.
 */
@NullMarked
package dev.millrace.bench;

import org.jspecify.annotations.NullMarked;
