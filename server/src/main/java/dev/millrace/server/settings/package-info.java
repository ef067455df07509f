/**
 * What an operator can set, where each value came from, and every mistake in it at once.
 *
 * <p>{@link dev.millrace.server.settings.SettingsTable} is the one truth: a setting that is not in
 * it does not exist. The records of {@link dev.millrace.server.settings.Settings} are filled from
 * it, the report behind {@code millrace config} is a walk over it, and the table in {@code
 * docs/configuration.md} is generated from it.
 *
 * <p>Invariants: the environment beats the file and the file beats the default. Nothing here reads
 * the process's own environment, system properties or class path, so what the caller passes is all
 * there is. A secret is never part of a message, a report row or a {@code toString}. Values from
 * the environment are literal; only the file may refer to others with <code>${NAME}</code>.
 *
 * <p>Called by the wiring of the server and by the CLI, once at start; everybody else is handed the
 * part of the record that concerns them. SmallRye Config stays behind the package-private classes.
 */
@NullMarked
package dev.millrace.server.settings;

import org.jspecify.annotations.NullMarked;
