/**
 * The shape of the house as tests: which module may lean on which, what the engine must never
 * touch, and that every package says what it is for.
 *
 * <p>{@link dev.millrace.architecture.ArchitectureRules} has the rules, as functions of a root
 * package, so that each is tried twice: on Millrace, where it must hold, and on the small house
 * under {@code broken}, where it must not.
 */
@NullMarked
package dev.millrace.architecture;

import org.jspecify.annotations.NullMarked;
