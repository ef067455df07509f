/** What the catalogue promises to whoever writes its files, and to whoever asks it. */
@NullMarked
package dev.millrace.server.catalogue;

import org.jspecify.annotations.NullMarked;
