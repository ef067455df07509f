/**
 * Reads the catalogue from YAML: all mistakes of all files at once, each with its place.
 *
 * <p>What this package hands out is whole and consistent; nothing else makes a catalogue.
 */
@NullMarked
package dev.millrace.service.catalogue.reading;

import org.jspecify.annotations.NullMarked;
