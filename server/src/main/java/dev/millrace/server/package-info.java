/**
 * A server from its settings: the installed providers are found, the object graph is built by hand,
 * and what runs is closed in the other order.
 *
 * <p>{@code Wiring} builds it from top to bottom, with a class beside it for each larger part.
 * Nothing about jobs, money or HTTP is decided here. {@link dev.millrace.server.MillraceServer} is
 * what others start.
 */
@NullMarked
package dev.millrace.server;

import org.jspecify.annotations.NullMarked;
