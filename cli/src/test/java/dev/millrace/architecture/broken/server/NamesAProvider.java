package dev.millrace.architecture.broken.server;

import dev.millrace.architecture.broken.sketch.Draws;

/** A server that would have to change for the next provider. */
public record NamesAProvider(Draws provider) {}
