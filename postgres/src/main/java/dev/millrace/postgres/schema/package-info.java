/**
 * The schema's migrations, plain SQL, run at start. A database that is newer than the program is
 * refused.
 */
@NullMarked
package dev.millrace.postgres.schema;

import org.jspecify.annotations.NullMarked;
