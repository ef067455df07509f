/**
 * Drawing primitives: a canvas of pixels, colours, noise and dice that roll the same for the same
 * seed.
 *
 * <p>Knows nothing of prompts. Called by the scenes and the painters.
 */
@NullMarked
package dev.millrace.sketch.canvas;

import org.jspecify.annotations.NullMarked;
