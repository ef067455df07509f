/**
 * What surrounds a command: the terminal, the settings, the profile file, the exit codes, and the
 * sentences in which trouble is told.
 *
 * <p>A command is an {@link dev.millrace.cli.shell.CommandAction} that is given a {@link
 * dev.millrace.cli.shell.Session}. It reaches the process only through {@link
 * dev.millrace.cli.shell.Surroundings}, so tests run whole commands without a process.
 *
 * <p>Invariants: standard output carries data only; the profile's key is used for the profile's
 * server only; the profile file is readable by its owner alone.
 */
@NullMarked
package dev.millrace.cli.shell;

import org.jspecify.annotations.NullMarked;
