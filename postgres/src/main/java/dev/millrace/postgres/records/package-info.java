/**
 * The cold paths: what people and duties look at (jobs, events, wallets, files), and the few rows
 * that are written one at a time (tenants, keys, the catalogue's ids, pauses, limits).
 *
 * <p>Reads take no lock and never queue behind writes. Every read of a tenant's row names the
 * tenant, so a foreign id answers exactly as a missing one.
 */
@NullMarked
package dev.millrace.postgres.records;

import org.jspecify.annotations.NullMarked;
