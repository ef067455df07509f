package dev.millrace.architecture.broken.attic;

/** Lives in no known module, in a package that says nothing about null. */
@SuppressWarnings("RequireExplicitNullMarking")
public record Forgotten(String name) {}
