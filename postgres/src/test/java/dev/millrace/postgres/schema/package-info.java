/** The migrations, and what they promise: run twice, from several nodes, never backwards. */
@NullMarked
package dev.millrace.postgres.schema;

import org.jspecify.annotations.NullMarked;
