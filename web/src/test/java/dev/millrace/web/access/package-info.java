/** Who is let in, and what pages of other origins may read, tried without a server. */
@NullMarked
package dev.millrace.web.access;

import org.jspecify.annotations.NullMarked;
