/** Files of requests that become jobs line by line, and how far each of them is. */
@NullMarked
package dev.millrace.postgres.requests;

import org.jspecify.annotations.NullMarked;
