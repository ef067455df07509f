/**
 * Connections to PostgreSQL: how they are opened, which of them are let in, and how long anything
 * may wait on them.
 *
 * <p>Every pool gets its connections here, also the one that listens and the one that migrates. So
 * every connection has limits for locks, statements, idle transactions and sockets, and reached the
 * same system as all others, on the newest timeline, writable. {@link
 * dev.millrace.postgres.connection.SqlTrouble} is the only place that tells a database which can't
 * be used now from a statement that is wrong.
 */
@NullMarked
package dev.millrace.postgres.connection;

import org.jspecify.annotations.NullMarked;
