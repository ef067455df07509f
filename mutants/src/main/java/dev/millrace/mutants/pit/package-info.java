/** The mutants of {@code engine}, which PIT makes and tries in a process of its own. */
@NullMarked
package dev.millrace.mutants.pit;

import org.jspecify.annotations.NullMarked;
