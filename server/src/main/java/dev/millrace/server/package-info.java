/** Millrace as a running server: HTTP, files, catalogue, duties, and the wiring of it all. */
@NullMarked
package dev.millrace.server;

import org.jspecify.annotations.NullMarked;
