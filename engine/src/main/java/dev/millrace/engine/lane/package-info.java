/**
 * Natural batching: while one batch commits, the next one gathers.
 *
 * <p>A lane has no timer and adds no wait: a lonely command runs at once, a thousand share a
 * commit. Its queue is bounded; a full lane refuses at once instead of piling up.
 */
@NullMarked
package dev.millrace.engine.lane;

import org.jspecify.annotations.NullMarked;
