/** A server with its own SQL, its own web server and a cycle of packages. */
@NullMarked
package dev.millrace.architecture.broken.server;

import org.jspecify.annotations.NullMarked;
