/** How jobs and files look in the API, the same wherever they are shown. */
@NullMarked
package dev.millrace.web.api.json;

import org.jspecify.annotations.NullMarked;
