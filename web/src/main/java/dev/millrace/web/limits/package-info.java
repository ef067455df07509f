/**
 * How fast clients may ask: one token bucket per API key, and one per client address for requests
 * without a good key. The buckets live in this process, so every node counts for itself.
 */
@NullMarked
package dev.millrace.web.limits;

import org.jspecify.annotations.NullMarked;
