/**
 * Where it is measured: one embedded PostgreSQL that waits for its disk, and in it a new database
 * for each measure, with tenants, workflows and users who can pay. The doctor checks each in the
 * end.
 */
@NullMarked
package dev.millrace.bench.place;

import org.jspecify.annotations.NullMarked;
