/**
 * The web layer: it turns requests into calls of use cases, and their results into answers.
 *
 * <p>Nothing is decided here. The API and the console are built over the same use cases, and refuse
 * with the same words.
 */
@NullMarked
package dev.millrace.web;

import org.jspecify.annotations.NullMarked;
