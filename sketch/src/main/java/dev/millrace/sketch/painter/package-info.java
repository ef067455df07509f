/** The styles: each painter draws a whole picture of a brief, in steps that report progress. */
@NullMarked
package dev.millrace.sketch.painter;

import org.jspecify.annotations.NullMarked;
