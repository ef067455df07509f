/** Routes of workers, and of those who look after them. */
@NullMarked
package dev.millrace.web.api.fleet;

import org.jspecify.annotations.NullMarked;
