/**
 * The worker's settings: environment variables, read once at the start, all mistakes told at once.
 *
 * <p>{@link dev.millrace.worker.settings.Variable} is the list; the help text and {@code
 * docs/worker.md} say the same.
 */
@NullMarked
package dev.millrace.worker.settings;

import org.jspecify.annotations.NullMarked;
