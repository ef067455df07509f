/**
 * The thin HTTP layer between the server's handlers and the web server underneath.
 *
 * <p>A handler is a function from {@link dev.millrace.web.http.Request} to {@link
 * dev.millrace.web.http.Response}; what goes wrong is a {@link
 * dev.millrace.web.http.ProblemException}. Everything else (routing, limits on size and time,
 * strict JSON, problem+json, request ids, safe headers, event streams and an orderly shutdown) is
 * decided here once, so that no handler can forget it.
 *
 * <p>Invariants: only this package and {@code server} below it import {@code io.helidon}, and no
 * public type here shows it. Every error answer is {@code application/problem+json} and carries no
 * internal message. A client can keep a thread busy only for a bounded time by sending or reading
 * slowly. A request body that was not read to its end costs the client its connection.
 *
 * <p>An event stream begins as the answer to a request, and then takes the connection from the web
 * server ({@link dev.millrace.web.http.server.Connection}): it may wait for hours, by the thousand,
 * so it must hold neither the request nor the stack and the buffers that answered it.
 *
 * <p>Any package of the web layer may call it; it calls none of them.
 */
@NullMarked
package dev.millrace.web.http;

import org.jspecify.annotations.NullMarked;
