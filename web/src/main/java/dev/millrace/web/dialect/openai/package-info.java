/**
 * The dialect {@code openai}: pictures, videos, speech, chat, files and batches as the clients of
 * OpenAI ask for them, under the base {@code /openai}.
 *
 * <p>A model's name is an effect's slug. Every call is a job: one that waits for its end finds it
 * again by its idempotency key when the connection broke. Errors are in OpenAI's shape.
 */
@NullMarked
package dev.millrace.web.dialect.openai;

import org.jspecify.annotations.NullMarked;
