/**
 * What operators see: one structured log line per job event, and metrics. No prompt, key, token or
 * URL is ever in them.
 */
@NullMarked
package dev.millrace.service.observe;

import org.jspecify.annotations.NullMarked;
