package dev.millrace.engine.sim;

import java.util.function.Consumer;

/** A command under way, and who waits for its answer. */
record Letter<C, R>(String from, C command, Consumer<Answer<R>> sender) {}
