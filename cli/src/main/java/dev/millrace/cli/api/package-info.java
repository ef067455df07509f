/**
 * A client of the HTTP API: requests, server-sent events and downloads.
 *
 * <p>Answers stay JSON trees, so a field that a newer server adds reaches {@code --format json}
 * untouched. Two kinds of trouble leave this package: {@link dev.millrace.cli.api.RefusedException}
 * when the server answered no, and {@link dev.millrace.cli.api.UnreachableException} when it did
 * not answer.
 *
 * <p>Invariants: a request is sent again only if sending it twice can do no harm; the key goes to
 * the configured server and nowhere else; every loop of retries has an end; a file appears under
 * its name only after its size and checksum were verified. Commands call this package; it calls
 * none of them.
 */
@NullMarked
package dev.millrace.cli.api;

import org.jspecify.annotations.NullMarked;
