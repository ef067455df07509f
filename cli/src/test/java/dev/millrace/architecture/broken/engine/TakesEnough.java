package dev.millrace.architecture.broken.engine;

/** Has as many parts as anybody may have. */
record TakesEnough(
    int one, int two, int three, int four, int five, int six, int seven, int eight) {}
