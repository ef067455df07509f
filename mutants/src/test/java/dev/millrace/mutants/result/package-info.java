/** Tests of {@code dev.millrace.mutants.result}. */
@NullMarked
package dev.millrace.mutants.result;

import org.jspecify.annotations.NullMarked;
