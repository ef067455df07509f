/**
 * The interface behind which every executor of jobs lives.
 *
 * <p>A {@link dev.millrace.contract.provider.Provider} gets one attempt's {@link
 * dev.millrace.contract.provider.Work}, reports progress, and answers with a sealed {@link
 * dev.millrace.contract.provider.Outcome}. It never sees money, leases or the database: what its
 * answer means for the job is decided by the engine. A provider must be safe to call from several
 * threads at once, and may be called again for the same job after a crash.
 */
@NullMarked
package dev.millrace.contract.provider;

import org.jspecify.annotations.NullMarked;
