/** Under which hosts the server answers. */
@NullMarked
package dev.millrace.web.access;

import org.jspecify.annotations.NullMarked;
