/**
 * The command line of {@code ./millrace mutants}: plants mistakes, one at a time, and sees whether
 * a test notices. What no test notices is listed, unless {@code mutants/explained-*.txt} says why
 * it changes nothing.
 */
@NullMarked
package dev.millrace.mutants;

import org.jspecify.annotations.NullMarked;
