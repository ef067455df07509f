/**
 * What somebody implements who wants the worker to run something of their own: an {@link
 * dev.millrace.spi.executor.Executor}, found by {@link java.util.ServiceLoader}.
 *
 * <p>An executor gets one attempt at a job and makes outputs from it. It knows nothing of leases,
 * heartbeats, uploads or money; the worker sees to those. It needs nothing but this package.
 */
@NullMarked
package dev.millrace.spi.executor;

import org.jspecify.annotations.NullMarked;
