/** The words of the dialect, compared with the design's table. */
@NullMarked
package dev.millrace.web.dialect.generate;

import org.jspecify.annotations.NullMarked;
