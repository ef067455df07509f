/**
 * What the reads by topic in the packages beside this one share: one query for all who look
 * something up at the moment ({@link dev.millrace.postgres.records.Lookup}), and rows as records
 * ({@link dev.millrace.postgres.records.RecordMapper}).
 *
 * <p>Reads take no lock and never queue behind writes.
 */
@NullMarked
package dev.millrace.postgres.records;

import org.jspecify.annotations.NullMarked;
