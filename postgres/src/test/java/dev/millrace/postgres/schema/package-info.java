/** The migrations, and what they promise. */
@NullMarked
package dev.millrace.postgres.schema;

import org.jspecify.annotations.NullMarked;
