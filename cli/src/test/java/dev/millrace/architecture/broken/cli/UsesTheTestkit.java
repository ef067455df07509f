package dev.millrace.architecture.broken.cli;

import dev.millrace.architecture.broken.testkit.Shared;

/** Main code on parts made for tests. */
public record UsesTheTestkit(Shared shared) {}
