/** What the tests of several modules share. Never on a production class path. */
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;
