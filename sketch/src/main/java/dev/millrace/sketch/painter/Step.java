package dev.millrace.sketch.painter;

/**
 * One stage of a drawing, between two looks at whether it is still wanted.
 *
 * @param name a short machine-friendly name
 * @param message a sentence for whoever watches
 */
public record Step(String name, String message, Runnable draw) {}
