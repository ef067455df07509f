/** Each dialect walks through the document that it comes from, over real HTTP. */
@NullMarked
package dev.millrace.server.dialect;

import org.jspecify.annotations.NullMarked;
