/**
 * The built-in {@code sketch} provider: a prompt and a style become a picture, drawn with Java2D.
 *
 * <p>It needs no network, no fonts and no display, so it is what a fresh installation makes its
 * first pictures with, and what slowness and failure are tried out with. A prompt is read once into
 * a {@link dev.millrace.sketch.subject.Reading} (subject, land, hour, colour); a {@link
 * dev.millrace.sketch.painter.Painter} per style then draws it in named steps. A list of items
 * becomes a {@link dev.millrace.sketch.Sheet} of small pictures instead.
 *
 * <p>Invariants: the same prompt, style, seed, size and variant give the same bytes on one machine;
 * no state is shared between attempts; nothing outside of memory is read or written. {@link
 * dev.millrace.sketch.SketchFactory} is how it is found; nobody else uses anything from outside but
 * tests.
 */
@NullMarked
package dev.millrace.sketch;

import org.jspecify.annotations.NullMarked;
