/** A server that names a provider, which it should find. */
@NullMarked
package dev.millrace.architecture.broken.server;

import org.jspecify.annotations.NullMarked;
