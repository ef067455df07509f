/**
 * Pictures: whether a file is one, its size, and a small preview.
 *
 * <p>Whatever is decoded came from outside. It is decoded on a few threads of its own, in bounded
 * passes and bounded time.
 */
@NullMarked
package dev.millrace.storage.picture;

import org.jspecify.annotations.NullMarked;
