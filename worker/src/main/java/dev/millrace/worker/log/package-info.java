/**
 * One readable line per event, as text or JSON, with nothing in it that must not leave the machine.
 *
 * <p>Every value goes through {@link dev.millrace.worker.log.Clean}, which takes out addresses with
 * their signatures, tokens and whatever would break a line.
 */
@NullMarked
package dev.millrace.worker.log;

import org.jspecify.annotations.NullMarked;
