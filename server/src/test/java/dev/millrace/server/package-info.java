/** Tests of how the server is put together from its settings, without starting one. */
@NullMarked
package dev.millrace.server;

import org.jspecify.annotations.NullMarked;
