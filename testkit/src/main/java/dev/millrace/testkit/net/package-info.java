/**
 * A very small HTTP server for doubles of outside services, because a test must be able to do what
 * a proper server never does: cut a connection, say nothing, die and come back on the same port.
 */
@NullMarked
package dev.millrace.testkit.net;

import org.jspecify.annotations.NullMarked;
