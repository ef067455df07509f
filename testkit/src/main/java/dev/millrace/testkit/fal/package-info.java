/**
 * A double of fal's queue. There is no recording of the original here: the shapes are those of its
 * documentation. It signs its webhooks with an Ed25519 key that it publishes and can replace.
 */
@NullMarked
package dev.millrace.testkit.fal;

import org.jspecify.annotations.NullMarked;
