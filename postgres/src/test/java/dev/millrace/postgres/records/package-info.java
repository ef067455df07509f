/** The cold paths against rows that the engine wrote. */
@NullMarked
package dev.millrace.postgres.records;

import org.jspecify.annotations.NullMarked;
