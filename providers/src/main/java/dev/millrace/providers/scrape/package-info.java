/**
 * Reads a web page for its title, text, pictures and metadata.
 *
 * <p>The page is a stranger's, named by a user: it is fetched by {@link
 * dev.millrace.providers.fetch}, only where robots.txt (RFC 9309) lets us, and everything that is
 * taken from it is bounded and cleaned. Nothing on it is executed and nothing it refers to is
 * loaded.
 */
@NullMarked
package dev.millrace.providers.scrape;

import org.jspecify.annotations.NullMarked;
