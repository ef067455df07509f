/**
 * The providers that come with Millrace, one package each. The server knows none of them: each has
 * a factory that {@code META-INF/services} names.
 */
@NullMarked
package dev.millrace.providers;

import org.jspecify.annotations.NullMarked;
