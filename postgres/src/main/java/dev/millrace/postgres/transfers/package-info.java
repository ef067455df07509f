/**
 * How far the handing over of items and rows has come: one row for each transfer, which moves on in
 * the statement that counts, and one line for each row that was wrong.
 *
 * <p>Only the attempt that claimed a transfer last can move it on. Called by {@code
 * service.transfer} only.
 */
@NullMarked
package dev.millrace.postgres.transfers;

import org.jspecify.annotations.NullMarked;
