/** Rows of workers, and the leases that they hold. */
@NullMarked
package dev.millrace.postgres.fleet;

import org.jspecify.annotations.NullMarked;
