/**
 * The house style that a formatter can't see, as a test over the source tree: small files and
 * methods, names that explain themselves, packages that say what they are for.
 *
 * <p>The checks are pure functions from text to {@link dev.millrace.architecture.tidy.Flaw}s, so
 * that each is also tried on an untidy example.
 */
@NullMarked
package dev.millrace.architecture.tidy;

import org.jspecify.annotations.NullMarked;
