/** Replicate's provider against a double that answers as the recordings do. */
@NullMarked
package dev.millrace.providers.replicate;

import org.jspecify.annotations.NullMarked;
