/** Where the pages of {@code src/main/jte} are compiled to; no class is written here by hand. */
@NullMarked
package dev.millrace.web.console.template;

import org.jspecify.annotations.NullMarked;
