/**
 * Doubles of ComfyUI and Comfy Cloud that answer as recordings of the real ones do, their traps
 * included. {@code ComfyRecordingsTest} replays those recordings against them, so neither drifts.
 */
@NullMarked
package dev.millrace.testkit.comfy;

import org.jspecify.annotations.NullMarked;
