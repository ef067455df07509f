/**
 * Whole servers that believe a real OpenID provider: JWTs as bearers, and signing in to the
 * console.
 */
@NullMarked
package dev.millrace.server.identity;

import org.jspecify.annotations.NullMarked;
