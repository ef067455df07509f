/** A store as it should be, which reads and writes. */
@NullMarked
package dev.millrace.architecture.broken.postgres;

import org.jspecify.annotations.NullMarked;
