/** Forms with files, as browsers and clients send them. */
@NullMarked
package dev.millrace.web.http.form;

import org.jspecify.annotations.NullMarked;
