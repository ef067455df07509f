/** Tests of the OpenAI-compatible provider against a double that speaks real HTTP. */
@org.jspecify.annotations.NullMarked
package dev.millrace.providers.openai;
