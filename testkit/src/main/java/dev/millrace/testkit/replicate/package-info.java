/**
 * A double of Replicate's predictions API. It answers in the shapes of the recordings: the same
 * keys, statuses and errors, and a list of predictions that is told page by page.
 */
@NullMarked
package dev.millrace.testkit.replicate;

import org.jspecify.annotations.NullMarked;
