/** An API as it should be. */
@NullMarked
package dev.millrace.architecture.broken.web.api;

import org.jspecify.annotations.NullMarked;
