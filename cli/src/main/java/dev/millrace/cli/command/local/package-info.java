/** Commands that run something on this machine, or move files from and to it. */
@NullMarked
package dev.millrace.cli.command.local;

import org.jspecify.annotations.NullMarked;
