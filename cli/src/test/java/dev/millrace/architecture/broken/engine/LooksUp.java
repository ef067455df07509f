package dev.millrace.architecture.broken.engine;

import dev.millrace.architecture.broken.web.Wires;

/** The engine must not know who uses it. */
public record LooksUp(Wires wires) {}
