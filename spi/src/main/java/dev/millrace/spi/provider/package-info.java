/**
 * What runs jobs inside the server implements this.
 *
 * <p>A {@link dev.millrace.spi.provider.Provider} gets one attempt's {@link
 * dev.millrace.spi.provider.Work}, reports progress, and answers with a sealed {@link
 * dev.millrace.spi.provider.Outcome}. An {@link dev.millrace.spi.provider.AsyncProvider} gets an
 * {@link dev.millrace.spi.provider.Order}, hands it to an outside service, and is asked later how
 * that stands, or judges the service's own calls. Neither ever sees money, leases or the database:
 * what its answer means for the job is decided by the engine. A provider must be safe to call from
 * several threads at once, and may be called again for the same job after a crash.
 *
 * <p>A {@link dev.millrace.spi.provider.ProviderFactory} makes providers from what an operator has
 * set, and declares the settings that it takes. It is all that the server has to find.
 *
 * <p>What a service says is a claim. The records here bound it where they can (pauses, percentages,
 * figures, references), so that no provider has to remember to.
 */
@NullMarked
package dev.millrace.spi.provider;

import org.jspecify.annotations.NullMarked;
