/**
 * The dialect {@code images}: {@code /api/images/jobs}, which make a picture from a prompt and its
 * parameters.
 *
 * <p>The effect {@code images/default} of the catalogue makes it, and a request may name another
 * one. Names are in camel case here, and a result has an address that stays.
 */
@NullMarked
package dev.millrace.web.dialect.images;

import org.jspecify.annotations.NullMarked;
