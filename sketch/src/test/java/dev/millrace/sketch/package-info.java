/** The laws of the sketch provider, and a sheet on which to look at what it draws. */
@NullMarked
package dev.millrace.sketch;

import org.jspecify.annotations.NullMarked;
