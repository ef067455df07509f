/**
 * The simulation: clients, payers, workers and reapers against the engine's own batches, driven by
 * one seed, with crashes between any two port calls, lost replies, duplicates and a jumping clock.
 *
 * <p>One thread and one random generator, so that a seed always tells the same story. {@link
 * dev.millrace.engine.sim.Oracle} knows what every committed command must have answered, the laws
 * know what the rows must look like, and {@code bugs} proves that both would notice.
 */
@NullMarked
package dev.millrace.engine.sim;

import org.jspecify.annotations.NullMarked;
