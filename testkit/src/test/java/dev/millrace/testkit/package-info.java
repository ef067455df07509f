/** Proves what other modules' tests lean on. */
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;
