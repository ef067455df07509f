/**
 * Bulk tasks: one action on every job that a filter names.
 *
 * <p>A task is a row, and any node works on it, page by page, in the order of the jobs' ids. A page
 * is counted in the statement that moves the cursor on, so a node that dies repeats a page at most.
 * That is harmless: every action goes through the engine, where a job's state decides, so nothing
 * happens to a job twice. What a dead node did in its last page is done, but not counted.
 */
@NullMarked
package dev.millrace.service.tasks;

import org.jspecify.annotations.NullMarked;
