/**
 * What every provider must do, as tests that a new one inherits.
 *
 * <p>Extend {@link dev.millrace.providers.conformance.AsyncConformance} with a {@link
 * dev.millrace.providers.conformance.Rig} that knows the provider and a double of its service, or
 * {@link dev.millrace.providers.conformance.SyncConformance} with a provider that runs here.
 */
@NullMarked
package dev.millrace.providers.conformance;

import org.jspecify.annotations.NullMarked;
