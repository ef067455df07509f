/** Routes of webhooks in both directions, and of the feed. */
@NullMarked
package dev.millrace.web.api.webhook;

import org.jspecify.annotations.NullMarked;
