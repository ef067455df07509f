/**
 * A double of an OpenAI-compatible service, over real HTTP. It answers as the services do, and on
 * request as badly as they sometimes do: garbage, truncation, silence, refusals and floods.
 */
@org.jspecify.annotations.NullMarked
package dev.millrace.testkit.openai;
