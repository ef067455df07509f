/** Tests of {@code dev.millrace.mutants.sql}. */
@NullMarked
package dev.millrace.mutants.sql;

import org.jspecify.annotations.NullMarked;
