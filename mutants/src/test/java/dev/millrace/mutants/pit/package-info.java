/** Tests of {@code dev.millrace.mutants.pit}. */
@NullMarked
package dev.millrace.mutants.pit;

import org.jspecify.annotations.NullMarked;
