/**
 * Turns values into text for a terminal: tables, relative times, sizes and the progress line.
 *
 * <p>Everything here is a pure function of its arguments and performs no input or output. Text that
 * came from a server passes through {@link dev.millrace.cli.text.Clip#plain} before it is shown, so
 * that a stored message cannot steer the reader's terminal.
 */
@NullMarked
package dev.millrace.cli.text;

import org.jspecify.annotations.NullMarked;
