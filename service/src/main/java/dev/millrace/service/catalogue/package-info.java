/**
 * What can be asked for: workflows, and the priced effects over them, read from YAML files.
 *
 * <p>{@link dev.millrace.service.catalogue.reading.CatalogueFiles} reads the built-in files and one
 * directory of the operator's own, and hands out a {@link
 * dev.millrace.service.catalogue.Catalogue}: an immutable snapshot that a request takes once and
 * may keep for as long as it lives. A reload swaps the whole snapshot or nothing: one mistake in
 * one file leaves the old one in place, and every mistake of every file is told at once, with its
 * file, line and path.
 *
 * <p>Invariants of a snapshot: slugs are unique; every effect's workflow is in it; every default,
 * override and fixed value satisfies the JSON Schema of its property; every hold is within the cap;
 * every follow-up of an effect on offer is on offer too, and none leads back to where it began. So
 * {@link dev.millrace.service.catalogue.Effect#resolve} has only the user's own input to judge, and
 * what it resolves is valid as a whole.
 *
 * <p>The files are the operator's, so they are trusted to mean well and not to be free of
 * accidents: sizes, depth and counts are bounded, YAML aliases and tags are refused, and no schema
 * is ever fetched from anywhere. HTTP, the console and the wiring may call this package; it knows
 * nothing of jobs, money or the database.
 */
@NullMarked
package dev.millrace.service.catalogue;

import org.jspecify.annotations.NullMarked;
