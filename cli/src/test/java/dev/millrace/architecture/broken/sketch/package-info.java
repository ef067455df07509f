/** A provider that somebody names who should find it. */
@NullMarked
package dev.millrace.architecture.broken.sketch;

import org.jspecify.annotations.NullMarked;
