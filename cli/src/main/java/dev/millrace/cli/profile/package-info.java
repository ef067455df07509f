/**
 * The profiles that tell the commands which server to ask and which key to show it, and what {@code
 * start} does with them.
 *
 * <p>No profile is ever lost: what is replaced is kept under a name of its own first. A key is
 * written to files that only their owner may read, and printed only where a person reads it.
 */
@NullMarked
package dev.millrace.cli.profile;

import org.jspecify.annotations.NullMarked;
