/** Tests of {@code dev.millrace.mutants.run}. */
@NullMarked
package dev.millrace.mutants.run;

import org.jspecify.annotations.NullMarked;
