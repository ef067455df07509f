/** Endpoints, and the deliveries that are derived from the event log. */
@NullMarked
package dev.millrace.postgres.webhooks;

import org.jspecify.annotations.NullMarked;
