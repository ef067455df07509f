/**
 * The worker's side of the worker protocol: each call, what it sends and what its answers mean.
 *
 * <p>Nothing here retries. A call answers, or it throws one of three things: {@link
 * dev.millrace.worker.control.StaleLease}, {@link dev.millrace.worker.control.NotAllowed}, or
 * {@link dev.millrace.worker.control.TryLater}.
 */
@NullMarked
package dev.millrace.worker.control;

import org.jspecify.annotations.NullMarked;
