/** A contract that leans on a library, which the real one must not. */
@NullMarked
package dev.millrace.architecture.broken.contract;

import org.jspecify.annotations.NullMarked;
