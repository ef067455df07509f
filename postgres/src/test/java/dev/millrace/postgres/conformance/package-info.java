/** The suite that every store passes, on PostgreSQL. */
@NullMarked
package dev.millrace.postgres.conformance;

import org.jspecify.annotations.NullMarked;
