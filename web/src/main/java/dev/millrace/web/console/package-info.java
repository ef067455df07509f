/**
 * The web console: pages for the person who waits for a picture and for the operator.
 *
 * <p>Pages are made on the server from templates that were compiled with it ({@code src/main/jte}),
 * and can be read without JavaScript. A visitor signs in with an API key or a link that works once;
 * the session is a pass whose hash is stored, and it dies with its key. What a page does, it does
 * by the use cases that the API calls too, so checks, audit and refusals are the same. Every change
 * needs the session's CSRF token. Nothing here has SQL, and no page loads anything from elsewhere.
 */
@NullMarked
package dev.millrace.web.console;

import org.jspecify.annotations.NullMarked;
