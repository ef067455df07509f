/**
 * What lets a browser ask: tokens that a product's backend makes for one of its users, tickets that
 * open one stream, and the origins that a tenant's pages may come from.
 *
 * <p>A token is good for less than the key that made it, is ended with it within five seconds, and
 * counts exactly how many jobs were submitted with it. Knows no HTTP; called by the API and the
 * console.
 */
@NullMarked
package dev.millrace.service.browsers;

import org.jspecify.annotations.NullMarked;
