/**
 * Ten thousand readers of server-sent events in one thread, as a process of its own: together with
 * the server's end of each connection they would need more file descriptors than one process has.
 */
@NullMarked
package dev.millrace.bench.streams;

import org.jspecify.annotations.NullMarked;
