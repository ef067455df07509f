/**
 * What the providers that call outside services share: the way to call them, and the reading of
 * what they answer.
 *
 * <p>{@link dev.millrace.providers.wire.Wire} is the only way to the network; it uses the JDK's
 * client. It never sends a request twice, never follows a redirect, and reads no more of a reply
 * than it was told. {@link dev.millrace.providers.wire.OutputReader} and {@link
 * dev.millrace.providers.wire.Replies} take what services say as claims: too long, too many,
 * misspelt or missing is an ordinary case. For the providers of this module only.
 */
@NullMarked
package dev.millrace.providers.wire;

import org.jspecify.annotations.NullMarked;
