/**
 * URLs that the server signs and serves itself: who may get or put which object, and until when.
 *
 * <p>A signature covers the method, the key, the size and the end. Called by the web layer and the
 * local store.
 */
@NullMarked
package dev.millrace.storage.url;

import org.jspecify.annotations.NullMarked;
