/**
 * The gates of policy: what an input may not say, decided before money moves.
 *
 * <p>A {@link dev.millrace.service.guard.Gate} looks at a resolved input and lets it pass, denies
 * it with a public category, or says that it can't tell right now. {@link
 * dev.millrace.service.guard.PromptGuard} judges by a file of words and patterns, and {@link
 * dev.millrace.service.guard.ModerationGate} asks a service. The wiring of the server lists them.
 *
 * <p>Invariants: no prompt and no key is ever part of a verdict, a log line or an exception. The
 * work for one input is linear in its length, whatever the rules say. Rules are an immutable
 * snapshot; a file with a mistake never replaces a good one.
 *
 * <p>Whoever submits jobs may call this package; it knows nothing of jobs, money or HTTP routes.
 */
@NullMarked
package dev.millrace.service.guard;

import org.jspecify.annotations.NullMarked;
