/** How log lines look, for people and for machines. */
@NullMarked
package dev.millrace.server.logging;

import org.jspecify.annotations.NullMarked;
