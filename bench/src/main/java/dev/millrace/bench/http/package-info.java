/**
 * The server as a process of its own, and clients that cost little: they share the machine with
 * what they measure, so they write bytes that were made before and read no more of an answer than
 * they need.
 */
@NullMarked
package dev.millrace.bench.http;

import org.jspecify.annotations.NullMarked;
