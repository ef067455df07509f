/**
 * Reads of wallets and the ledger; limits of single users. Credits move only in a batch of the
 * store.
 */
@NullMarked
package dev.millrace.postgres.money;

import org.jspecify.annotations.NullMarked;
