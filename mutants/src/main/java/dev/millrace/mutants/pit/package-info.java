/** The mutants of {@code engine}, which PIT makes and children. */
@NullMarked
package dev.millrace.mutants.pit;

import org.jspecify.annotations.NullMarked;
