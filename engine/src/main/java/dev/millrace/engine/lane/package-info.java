/**
 * Natural batching: while one batch commits, the next one gathers.
 *
 * <p>A lane has no timer and adds no wait: a command that comes alone runs at once, and a thousand
 * share a commit. Its queue is bounded; a full lane refuses at once instead of piling up.
 */
@NullMarked
package dev.millrace.engine.lane;

import org.jspecify.annotations.NullMarked;
