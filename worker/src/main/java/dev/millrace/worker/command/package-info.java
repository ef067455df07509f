/**
 * Runs any program as an executor: JSON on its standard input, progress as lines on its standard
 * output, files from one folder and into another.
 *
 * <p>So a pipeline in Python or ffmpeg needs no Java. The program gets the worker's environment
 * without the worker's own settings, so it never sees a secret of the fleet. {@code docs/worker.md}
 * describes what it reads and writes.
 */
@NullMarked
package dev.millrace.worker.command;

import org.jspecify.annotations.NullMarked;
