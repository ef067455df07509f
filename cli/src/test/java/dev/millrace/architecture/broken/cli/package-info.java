/** A command line that uses the shared parts of the tests. */
@NullMarked
package dev.millrace.architecture.broken.cli;

import org.jspecify.annotations.NullMarked;
