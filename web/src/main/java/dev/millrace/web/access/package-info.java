/** Turns a request into a principal, or refuses it. */
@NullMarked
package dev.millrace.web.access;

import org.jspecify.annotations.NullMarked;
