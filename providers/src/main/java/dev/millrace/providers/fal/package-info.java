/**
 * The {@code fal} provider: models of fal.ai by its queue.
 *
 * <p>The queue takes work without a key of ours and has no list to search, so a submit whose answer
 * was lost can't be found again: only its webhook, whose address carries the intent, or the
 * deadline decides. Webhooks are signed by Ed25519 with keys that fal publishes; {@link
 * dev.millrace.providers.fal.FalKeys} remembers them.
 *
 * <p>{@link dev.millrace.providers.fal.FalFactory} is how it is found. Nobody else uses anything
 * from outside but tests.
 */
@NullMarked
package dev.millrace.providers.fal;

import org.jspecify.annotations.NullMarked;
