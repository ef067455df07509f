/**
 * The verbs of Millrace, and how a whole batch of them is decided.
 *
 * <p>Each batch class takes the commands that gathered in one lane, locks what they need in one
 * order (wallets by id, then shares, then jobs by id), decides one after the other on a {@link
 * dev.millrace.engine.command.WorkingSet}, and writes everything in one transaction. One command or
 * two hundred: the same code. A refusal is a result, never an exception, so a bad command answers
 * for itself alone.
 */
@NullMarked
package dev.millrace.engine.command;

import org.jspecify.annotations.NullMarked;
