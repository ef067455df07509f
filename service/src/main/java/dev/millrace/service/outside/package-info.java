/**
 * Work at outside services: handed over at most once per intent, heard of by webhook, asked for by
 * the collector.
 *
 * <p>The intent is stored before a call, and what may have been accepted is never sent again.
 */
@NullMarked
package dev.millrace.service.outside;

import org.jspecify.annotations.NullMarked;
