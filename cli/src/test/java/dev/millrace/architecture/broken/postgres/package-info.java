/** A store as it should be. */
@NullMarked
package dev.millrace.architecture.broken.postgres;

import org.jspecify.annotations.NullMarked;
