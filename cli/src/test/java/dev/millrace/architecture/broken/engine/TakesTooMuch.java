package dev.millrace.architecture.broken.engine;

/** Has nine parts, of which nobody knows which is which. */
record TakesTooMuch(
    int one, int two, int three, int four, int five, int six, int seven, int eight, int nine) {}
