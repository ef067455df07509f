/**
 * URLs that the server signs and serves itself: who may get or put which object, and until when.
 *
 * <p>A signature covers the method, the key, the type and the end, and of an upload the size and
 * the SHA-256 too. Called by the web layer and the local store.
 */
@NullMarked
package dev.millrace.storage.url;

import org.jspecify.annotations.NullMarked;
