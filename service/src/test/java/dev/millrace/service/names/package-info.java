/** Tests of the guesses at names that were mistyped. */
@NullMarked
package dev.millrace.service.names;

import org.jspecify.annotations.NullMarked;
