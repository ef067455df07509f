/**
 * What the doubles of outside services share: a real HTTP server that keeps work, sends webhooks,
 * counts what it would charge for, and gets into trouble when a test says so.
 *
 * <p>A double answers as the recordings of its original do, where there are any. Tests move its
 * work on by hand ({@link dev.millrace.testkit.outside.OutsideService}), so nothing happens by
 * itself and nobody waits. {@link dev.millrace.testkit.outside.Postbox} takes in the webhooks. What
 * was accepted is kept by intent, so that a test can say that nothing was paid for twice.
 */
@NullMarked
package dev.millrace.testkit.outside;

import org.jspecify.annotations.NullMarked;
