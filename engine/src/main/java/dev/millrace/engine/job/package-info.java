/**
 * A job as the engine sees it: one immutable snapshot of its row, its lease included.
 *
 * <p>A snapshot is only as good as the row lock under which it was read; changing one means making
 * the next snapshot and handing it to {@link dev.millrace.engine.port.Changes}.
 */
@NullMarked
package dev.millrace.engine.job;

import org.jspecify.annotations.NullMarked;
