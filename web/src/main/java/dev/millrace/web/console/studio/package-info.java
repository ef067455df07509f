/** Pages for people who want something made: forms, library. */
@NullMarked
package dev.millrace.web.console.studio;

import org.jspecify.annotations.NullMarked;
