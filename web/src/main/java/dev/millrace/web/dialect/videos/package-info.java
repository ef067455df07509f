/**
 * The dialect {@code videos}: uploads, videos and the jobs that process them, and under the base
 * {@code /videos} the seven calls of its workers.
 *
 * <p>A video is a file that somebody brought, and its status is that of its newest job here.
 * Answers have their fields twice: beside each other, and once more under {@code data}, where the
 * clients of this dialect look.
 */
@NullMarked
package dev.millrace.web.dialect.videos;

import org.jspecify.annotations.NullMarked;
