package dev.millrace.architecture.broken.sketch;

/** A provider. */
public record Draws() {}
