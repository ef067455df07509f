/**
 * Fetches URLs that somebody else has named: a user, a page, or a provider's answer.
 *
 * <p>Whoever names a URL may want this server to speak to what only this server can reach. So the
 * name is resolved once, every address of it must be a public one (or one that the operator
 * allows), and the connection goes to the address that was looked at, while Host and the
 * certificate check still use the name. Each redirect starts over. A spelling that different
 * programs read differently is refused instead of guessed.
 *
 * <p>The other side may also want to keep us busy: size, time, headers, redirects and the growth of
 * compressed content are bounded. Every fetch has a connection of its own, without cookies, caches
 * or proxies, so nothing of one request can leak into another.
 */
@NullMarked
package dev.millrace.providers.fetch;

import org.jspecify.annotations.NullMarked;
