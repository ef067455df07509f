/**
 * What an operator can set, where each value came from, and every mistake in it at once.
 *
 * <p>{@link dev.millrace.server.settings.SettingsTable} has every setting of the server itself, and
 * the factories of providers declare theirs: a setting that neither has does not exist. The records
 * of {@link dev.millrace.server.settings.Settings} are filled from both, the report behind {@code
 * millrace config} is a walk over both, and the tables in {@code docs/configuration.md} are
 * generated from them.
 *
 * <p>Invariants: the environment beats the file and the file beats the default. Nothing here reads
 * the process's own environment or system properties; of the class path and the folder of providers
 * it sees the factories alone. A secret is never part of a message, a report row or a {@code
 * toString}. Values from the environment are literal; only the file may refer to others with <code>
 * ${NAME}</code>.
 *
 * <p>Called by the wiring of the server and by the CLI, once at start; everybody else is handed the
 * part of the record that concerns them. SmallRye Config stays behind the package-private classes.
 */
@NullMarked
package dev.millrace.server.settings;

import org.jspecify.annotations.NullMarked;
