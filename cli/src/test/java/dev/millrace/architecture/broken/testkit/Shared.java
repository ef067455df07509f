package dev.millrace.architecture.broken.testkit;

/** Something that only tests may use. */
public record Shared(String name) {}
