/**
 * The schema, plain SQL in files by topic: tables, then indexes, then the types that batches travel
 * in. They are run at start, each in a transaction. A database that is newer than the program, or
 * was made by other files, is refused.
 *
 * <p>From here on a migration is a new file that leaves the version before it working, since nodes
 * of that version go on while it runs and after it. It expands: a new table, a column that is null
 * or has a default, a new type beside the old one. What it replaces goes in a later version, with
 * {@code -- contract: why} above the statement. A file that was applied is never edited. {@code
 * ExpandThenContractTest} refuses what it can tell by the statement.
 */
@NullMarked
package dev.millrace.postgres.schema;

import org.jspecify.annotations.NullMarked;
