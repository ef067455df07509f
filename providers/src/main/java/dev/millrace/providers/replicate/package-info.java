/**
 * The {@code replicate} provider: models of replicate.com, and whatever speaks its predictions API.
 *
 * <p>Its create call has no idempotency key. So a create is sent once, its answer may get lost, and
 * {@link dev.millrace.providers.replicate.Listing} then looks for the prediction by the webhook's
 * address, which carries the intent. Webhooks are the usual way to learn of the end, and polling is
 * the other one. Output is kept for an hour there.
 *
 * <p>Only {@link dev.millrace.providers.replicate.ReplicateProvider} and {@link
 * dev.millrace.providers.replicate.ReplicateAccount} are for use from outside.
 */
@NullMarked
package dev.millrace.providers.replicate;

import org.jspecify.annotations.NullMarked;
