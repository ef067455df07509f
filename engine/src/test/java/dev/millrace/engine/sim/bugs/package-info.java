/**
 * Mistakes that somebody could make in the engine or around it, each planted from outside: around a
 * batch, a transaction or the store. The production code has no switch for any of them.
 *
 * <p>They test the simulation: each must be caught within a thousand seeds.
 */
@NullMarked
package dev.millrace.engine.sim.bugs;

import org.jspecify.annotations.NullMarked;
