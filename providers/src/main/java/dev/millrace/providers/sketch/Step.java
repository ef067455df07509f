package dev.millrace.providers.sketch;

/**
 * One stage of a drawing, between two looks at whether it is still wanted.
 *
 * @param name a short machine-friendly name
 * @param message a sentence for whoever watches
 */
record Step(String name, String message, Runnable draw) {}
