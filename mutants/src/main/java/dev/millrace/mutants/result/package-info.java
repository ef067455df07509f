/** What became of the mutants, of whatever kind: the figures, the survivors, and their excuses. */
@NullMarked
package dev.millrace.mutants.result;

import org.jspecify.annotations.NullMarked;
