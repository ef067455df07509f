/**
 * Guesses which name somebody meant, for messages about one that isn't known.
 *
 * <p>Called by whoever reads names that people write: the catalogue, the settings, the command
 * line. A guess is only ever said and never acted upon.
 */
@NullMarked
package dev.millrace.service.names;

import org.jspecify.annotations.NullMarked;
