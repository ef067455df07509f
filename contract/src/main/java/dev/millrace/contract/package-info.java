/**
 * What is shown to the outside, free of any product, database or transport. Today that is the
 * cleaner of texts.
 *
 * <p>This module depends on nothing but the JDK, so that a provider, a worker or a foreign program
 * can take it alone. Whatever is public here is a promise: change it only by adding.
 */
@NullMarked
package dev.millrace.contract;

import org.jspecify.annotations.NullMarked;
