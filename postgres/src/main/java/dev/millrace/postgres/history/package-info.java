/** Events of jobs, the log of all events, and history by month. */
@NullMarked
package dev.millrace.postgres.history;

import org.jspecify.annotations.NullMarked;
