/**
 * The web server behind our own HTTP types: the port, connections, strict reading, streams.
 *
 * <p>The only package that knows Helidon, apart from the body of a request. Called by the wiring.
 */
@NullMarked
package dev.millrace.web.http.server;

import org.jspecify.annotations.NullMarked;
