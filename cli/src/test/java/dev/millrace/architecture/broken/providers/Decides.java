package dev.millrace.architecture.broken.providers;

import dev.millrace.architecture.broken.engine.OpensASocket;

/** A provider that reaches past the contract. */
public record Decides(OpensASocket engine) {}
