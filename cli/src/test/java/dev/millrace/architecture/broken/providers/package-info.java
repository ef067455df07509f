/** A provider that decides what is the engine's to decide. */
@NullMarked
package dev.millrace.architecture.broken.providers;

import org.jspecify.annotations.NullMarked;
