/**
 * How long work may show no movement before it counts as hanging. Executors ask; nothing here knows
 * what they run.
 */
@NullMarked
package dev.millrace.worker.stall;

import org.jspecify.annotations.NullMarked;
