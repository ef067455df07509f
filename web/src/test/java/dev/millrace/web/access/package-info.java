/** Tests of what pages of other origins may read, with rules made up for them. */
@NullMarked
package dev.millrace.web.access;

import org.jspecify.annotations.NullMarked;
