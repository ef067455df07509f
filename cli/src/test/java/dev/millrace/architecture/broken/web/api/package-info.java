/** An API as it should be, which others had better not call. */
@NullMarked
package dev.millrace.architecture.broken.web.api;

import org.jspecify.annotations.NullMarked;
