/**
 * HTTP for programs that expect trouble: bounded answers, time limits that hold to the last byte,
 * and exceptions that say whether the other side may have heard.
 *
 * <p>No redirect is followed unless the caller says so, because a redirect would carry headers to a
 * stranger.
 */
@NullMarked
package dev.millrace.worker.http;

import org.jspecify.annotations.NullMarked;
