/**
 * How a figure comes about: callers that run in a closed loop, a warm-up that counts for nothing, a
 * fixed time that does, and the sheet on which the figures are written down.
 */
@NullMarked
package dev.millrace.bench.measure;

import org.jspecify.annotations.NullMarked;
