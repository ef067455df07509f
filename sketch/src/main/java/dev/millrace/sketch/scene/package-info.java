/**
 * Parts of pictures that several painters share: land, sky, weather, plants.
 *
 * <p>Called by the painters.
 */
@NullMarked
package dev.millrace.sketch.scene;

import org.jspecify.annotations.NullMarked;
