/** Rows of files and uploads, and the small texts that the database keeps itself. */
@NullMarked
package dev.millrace.postgres.files;

import org.jspecify.annotations.NullMarked;
