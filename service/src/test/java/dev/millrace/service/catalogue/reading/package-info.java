/** What the catalogue promises to whoever writes its files, and to whoever asks it. */
@NullMarked
package dev.millrace.service.catalogue.reading;

import org.jspecify.annotations.NullMarked;
