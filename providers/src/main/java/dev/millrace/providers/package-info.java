/** The executors that come with Millrace, one package each. */
@NullMarked
package dev.millrace.providers;

import org.jspecify.annotations.NullMarked;
