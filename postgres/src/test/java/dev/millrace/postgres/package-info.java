/** What the tests of this module share, and what holds for all of its statements. */
@NullMarked
package dev.millrace.postgres;

import org.jspecify.annotations.NullMarked;
