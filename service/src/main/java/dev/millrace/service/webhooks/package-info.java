/**
 * Tells products what happens to their jobs, by signed webhooks.
 *
 * <p>The {@link dev.millrace.service.webhooks.LogReader} reads the log of events and stores one
 * delivery for each event that an endpoint asked for; the {@link
 * dev.millrace.service.webhooks.Sender} sends what is due and writes down what came back. Both work
 * on every node at once and meet in the database only. A delivery is sent at least once: whoever
 * dies between the answer and writing it down leaves a delivery that is sent again, with the same
 * id. What is sent says which job and which state, and nothing of what the job is about; {@link
 * dev.millrace.service.webhooks.PayloadRules} is the last to look.
 */
@NullMarked
package dev.millrace.service.webhooks;

import org.jspecify.annotations.NullMarked;
