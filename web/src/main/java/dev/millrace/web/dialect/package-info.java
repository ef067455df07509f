/**
 * The surfaces of other systems, each over the same use cases: routes, field names, a status table
 * and error shapes, and no logic.
 *
 * <p>A dialect turns a request into the fields of a native one, so that every check of the API
 * holds for it too, and shows the job that comes of it in its own words. Which dialects are served
 * is a setting.
 */
@NullMarked
package dev.millrace.web.dialect;

import org.jspecify.annotations.NullMarked;
