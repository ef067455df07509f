/**
 * The worker's folder: files of running jobs, which always go away again, and what it must remember
 * over a restart, which stays.
 *
 * <p>One process owns the folder, by a lock, so that cleaning up after a predecessor that crashed
 * can never take a living one's files.
 */
@NullMarked
package dev.millrace.worker.files;

import org.jspecify.annotations.NullMarked;
