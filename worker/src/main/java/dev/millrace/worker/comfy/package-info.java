/**
 * Runs workflows on a ComfyUI of one's own.
 *
 * <p>ComfyUI keeps its queue and its history in memory, forgets both when it ends, runs a prompt
 * twice if it is posted twice, and answers 200 to nearly everything. So a prompt is posted under
 * the attempt's id, which a restarted worker knows again; it is looked for before it is posted; and
 * nothing is believed but the history.
 */
@NullMarked
package dev.millrace.worker.comfy;

import org.jspecify.annotations.NullMarked;
