/** The parent's side: finds the mutants of all statements and lets child processes try them. */
@NullMarked
package dev.millrace.mutants.run;

import org.jspecify.annotations.NullMarked;
