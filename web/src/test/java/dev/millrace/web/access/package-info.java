/** Who is let in, tried without a server. */
@NullMarked
package dev.millrace.web.access;

import org.jspecify.annotations.NullMarked;
