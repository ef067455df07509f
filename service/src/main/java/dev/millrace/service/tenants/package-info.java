/**
 * A tenant as a whole: all that it has as an archive, and its removal.
 *
 * <p>Only a suspended tenant is removed, after whoever asks has shown that an export arrived to its
 * last byte, or has said that none is wanted. What was begun isn't undone, and goes on in small
 * steps on whichever node is there until nothing is left but the slug.
 */
@NullMarked
package dev.millrace.service.tenants;

import org.jspecify.annotations.NullMarked;
