/** The words of the dialect, compared with the design's table. */
@NullMarked
package dev.millrace.web.dialect.replicate;

import org.jspecify.annotations.NullMarked;
