/**
 * Hands approved items and rows of files over: to an endpoint of the product, or into jobs.
 *
 * <p>The provider {@code transfer} goes through a {@link dev.millrace.service.transfer.RowSource}
 * in chunks. A chunk is written down together with its answer's counts, and only by the attempt
 * that claimed the transfer last; whoever comes after a crash begins behind the last chunk that was
 * written down, and sends the one after it again, with the same key for each row. So a row is
 * handed over under one key, however often it is sent, and never again after its answer was written
 * down. No more than a chunk is in memory.
 */
@NullMarked
package dev.millrace.service.transfer;

import org.jspecify.annotations.NullMarked;
