/**
 * Runs jobs on any service that speaks OpenAI's API: OpenAI itself, vLLM, Ollama, Workers AI.
 *
 * <p>One call is one attempt, start to end. A text is streamed, and what has come of it so far is
 * the attempt's progress; a cancel closes the connection, so that the service stops working for
 * nobody. A service can't be asked for a call whose answer got lost, and may have billed it: the
 * job ends as uncertain, is refunded, and isn't bought again by itself. Moderation, which costs
 * nothing, is.
 *
 * <p>The service is trusted to be there, not to be right: its answers are bounded, a picture must
 * look like one, and its words reach users only as output. The key is in the request and nowhere
 * else.
 */
@NullMarked
package dev.millrace.providers.openai;

import org.jspecify.annotations.NullMarked;
