/**
 * Millrace as its users meet it: the real program in processes of its own, with a real PostgreSQL,
 * real signals and nothing of ours in between.
 *
 * <p>An {@link dev.millrace.cli.e2e.Installation} is where everything of one story lives. Closing
 * it ends whatever the story left running, its PostgreSQL too, so a failed test leaves nothing
 * behind. Waits are for conditions; the only clock is the limit after which a story has failed.
 */
@NullMarked
package dev.millrace.cli.e2e;

import org.jspecify.annotations.NullMarked;
