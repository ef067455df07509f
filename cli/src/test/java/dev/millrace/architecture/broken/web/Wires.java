package dev.millrace.architecture.broken.web;

import dev.millrace.architecture.broken.web.http.Routes;

/** Half of a cycle: the root knows its HTTP layer. */
public record Wires(Routes routes) {}
