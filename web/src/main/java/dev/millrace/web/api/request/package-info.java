/** Reads requests and words refusals; shared by all routes of the API. */
@NullMarked
package dev.millrace.web.api.request;

import org.jspecify.annotations.NullMarked;
