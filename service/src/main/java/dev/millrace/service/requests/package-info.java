/**
 * Lists of requests: files with one request in each line, which become jobs one by one.
 *
 * <p>A duty on every node works them off. Whatever it does can be done again: a line's job has a
 * key of its own, so after a crash the next node goes on where the list says and makes no job
 * twice. What a line means is the dialect's to say, by which the list was brought.
 */
@NullMarked
package dev.millrace.service.requests;

import org.jspecify.annotations.NullMarked;
