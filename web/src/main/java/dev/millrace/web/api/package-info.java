/**
 * The routes of {@code /api}: they read a request, call one verb, and show the result as JSON.
 *
 * <p>Nothing is decided here. Every route is in the OpenAPI file, every refusal is a problem, and
 * every look at a tenant's row goes through the principal's tenant and user.
 */
@NullMarked
package dev.millrace.web.api;

import org.jspecify.annotations.NullMarked;
