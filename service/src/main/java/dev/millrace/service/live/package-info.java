/**
 * Wakes whoever waits for a job's next event or a queue's next job, without polling. A wake-up
 * promises nothing: look again, and again after a while even without one.
 */
@NullMarked
package dev.millrace.service.live;

import org.jspecify.annotations.NullMarked;
