/** A dialect that goes through the API. */
@NullMarked
package dev.millrace.architecture.broken.web.dialect;

import org.jspecify.annotations.NullMarked;
