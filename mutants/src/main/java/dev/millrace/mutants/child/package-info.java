/**
 * Runs in a JVM of its own, with the tests of {@code postgres}: first all of them, to see which
 * executes which statement and how long it takes, then a few for each mutant.
 *
 * <p>The driver in this JVM is patched: it asks {@link dev.millrace.mutants.child.PatchedSql} for
 * each statement's text. So neither the program nor its tests have to know anything.
 */
@NullMarked
package dev.millrace.mutants.child;

import org.jspecify.annotations.NullMarked;
