/**
 * What every provider must do, as tests that a new one inherits.
 *
 * <p>Extend {@link dev.millrace.testkit.conformance.AsyncConformance} with a {@link
 * dev.millrace.testkit.conformance.Rig} that knows the provider and a double of its service, or
 * {@link dev.millrace.testkit.conformance.SyncConformance} with a provider that runs here.
 */
@NullMarked
package dev.millrace.testkit.conformance;

import org.jspecify.annotations.NullMarked;
