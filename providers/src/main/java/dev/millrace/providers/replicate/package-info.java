/**
 * The {@code replicate} provider: models of replicate.com, and whatever speaks its predictions API.
 *
 * <p>Its create call has no idempotency key. So a create is sent once, its answer may get lost, and
 * {@link dev.millrace.providers.replicate.Listing} then looks for the prediction by the webhook's
 * address, which carries the intent. Webhooks are the usual way to learn of the end, and polling is
 * the other one. Output is kept for an hour there.
 *
 * <p>{@link dev.millrace.providers.replicate.ReplicateFactory} is how it is found. Nobody else uses
 * anything from outside but tests.
 */
@NullMarked
package dev.millrace.providers.replicate;

import org.jspecify.annotations.NullMarked;
