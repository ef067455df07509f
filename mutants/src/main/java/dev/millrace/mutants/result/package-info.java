/**
 * What became of the mutants, of whatever kind: the figures, the survivors, and what explains them.
 */
@NullMarked
package dev.millrace.mutants.result;

import org.jspecify.annotations.NullMarked;
