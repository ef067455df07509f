/**
 * How fast clients may ask: one token bucket per API key or token, one per tenant for all of its
 * keys and tokens together, and one per client address for requests without a good key. A tenant
 * may have a plan of its own, which comes with whoever asks. The buckets live in this process, so
 * every node counts for itself.
 */
@NullMarked
package dev.millrace.web.limits;

import org.jspecify.annotations.NullMarked;
