/**
 * The dialect {@code generate}: {@code /api/generate/{type}} and the jobs that were asked for by
 * it.
 *
 * <p>A type is the name of an effect on offer, {@code generate/TYPE} before any other, so that a
 * catalogue decides what is made. What the effect's schema takes is its input.
 */
@NullMarked
package dev.millrace.web.dialect.generate;

import org.jspecify.annotations.NullMarked;
