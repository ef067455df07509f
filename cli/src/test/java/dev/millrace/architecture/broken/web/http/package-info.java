/** The only package of this house that may know the web server. */
@NullMarked
package dev.millrace.architecture.broken.web.http;

import org.jspecify.annotations.NullMarked;
