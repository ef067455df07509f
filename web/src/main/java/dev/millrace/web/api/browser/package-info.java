/**
 * What browsers need to ask by themselves: users' tokens, tickets for streams, and the origins that
 * a tenant allows. Only the API's wiring calls it.
 */
@NullMarked
package dev.millrace.web.api.browser;

import org.jspecify.annotations.NullMarked;
