/** A dialect that goes through the API, and writes to the store. */
@NullMarked
package dev.millrace.architecture.broken.web.dialect;

import org.jspecify.annotations.NullMarked;
