package dev.millrace.architecture.broken.server;

import dev.millrace.architecture.broken.server.http.Routes;

/** Half of a cycle: the server's root knows its HTTP layer. */
public record Wires(Routes routes) {}
