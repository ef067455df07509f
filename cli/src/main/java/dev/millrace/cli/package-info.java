/**
 * The {@code millrace} command line: its entry point, and the one list of its subcommands.
 *
 * <p>Apart from {@code start}, {@code worker} and {@code config}, which run something on this
 * machine, a command is a client like any other: it speaks only the HTTP API and knows nothing of
 * the engine or the database, so what it can do, every product can do. Data goes to standard output
 * and everything else to standard error; an exit code says how it ended ({@link
 * dev.millrace.cli.shell.ExitCode}).
 *
 * <p>Dependencies point one way: this package to {@code command}, that to {@code profile} and
 * {@code shell}, and that to {@code api} and {@code text}. Only {@link
 * dev.millrace.cli.Millrace#run} is meant to be called from outside, by the launcher and by tests.
 */
@NullMarked
package dev.millrace.cli;

import org.jspecify.annotations.NullMarked;
