/** What is known of work at outside services: intents, handovers, callbacks, late results. */
@NullMarked
package dev.millrace.postgres.outside;

import org.jspecify.annotations.NullMarked;
