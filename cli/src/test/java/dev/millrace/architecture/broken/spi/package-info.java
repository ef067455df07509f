/** An interface of providers that drags in a library. */
@NullMarked
package dev.millrace.architecture.broken.spi;

import org.jspecify.annotations.NullMarked;
