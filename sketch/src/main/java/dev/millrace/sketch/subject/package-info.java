/**
 * What a prompt asks for: the words that are understood, the figures there are, and the colours
 * that fit.
 *
 * <p>The same prompt and seed are always read alike. Called by the scenes and the painters.
 */
@NullMarked
package dev.millrace.sketch.subject;

import org.jspecify.annotations.NullMarked;
