/** What the tests share, and nothing else may use. */
@NullMarked
package dev.millrace.architecture.broken.testkit;

import org.jspecify.annotations.NullMarked;
