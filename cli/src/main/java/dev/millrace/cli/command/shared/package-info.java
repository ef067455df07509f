/** Options, progress and wording that several commands share. */
@NullMarked
package dev.millrace.cli.command.shared;

import org.jspecify.annotations.NullMarked;
