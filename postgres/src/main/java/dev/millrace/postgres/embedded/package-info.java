/**
 * A real PostgreSQL that Millrace brings along, for whoever has no database of their own.
 *
 * <p>{@link dev.millrace.postgres.embedded.EmbeddedDatabase} is the only class to call. It unpacks
 * the binaries that lie on the class path, makes a cluster in the data directory the first time,
 * and starts the server; closing it stops the server. The rest of Millrace gets a JDBC address and
 * cannot tell the difference from an external database.
 *
 * <p>What always holds:
 *
 * <ul>
 *   <li>At most one process uses a data directory. {@code millrace.lock} is locked for as long as
 *       the database is open. Nobody else may open that file: on POSIX systems, closing any
 *       descriptor of it would drop the lock of the whole process.
 *   <li>Whatever dies at whatever moment, the next start works and no committed row is lost.
 *       Whatever is made in several steps (the binaries, the cluster) is made under another name
 *       and renamed when it is complete. A server left behind by a killed process is found by the
 *       directory it works in, not by a bare process id, and stopped before a new one starts.
 *   <li>PostgreSQL is not in our process group, so that the terminal's Ctrl-C does not reach it:
 *       the application drains first and stops its database last.
 *   <li>It listens on 127.0.0.1 only, on a free port chosen at each start, and wants the generated
 *       password.
 * </ul>
 *
 * <p>The package uses no {@code java.sql} and knows nothing of the schema.
 */
@NullMarked
package dev.millrace.postgres.embedded;

import org.jspecify.annotations.NullMarked;
