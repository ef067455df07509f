/**
 * What the API is described to say, for tests whose server is a double: an answer that the real one
 * never gives would prove nothing.
 */
@NullMarked
package dev.millrace.testkit.openapi;

import org.jspecify.annotations.NullMarked;
