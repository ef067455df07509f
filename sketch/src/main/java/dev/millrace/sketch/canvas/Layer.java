package dev.millrace.sketch.canvas;

import java.awt.Shape;

/**
 * One sheet of a landscape.
 *
 * @param growth what stands on it: trees, towers; may be empty
 * @param depth from 0, far away, to 1, at our feet
 * @param water true if it is a surface of water
 */
public record Layer(Crest crest, Shape ground, Shape growth, double depth, boolean water) {}
