/** An engine that reads clocks, opens sockets and looks up to the server. */
@NullMarked
package dev.millrace.architecture.broken.engine;

import org.jspecify.annotations.NullMarked;
