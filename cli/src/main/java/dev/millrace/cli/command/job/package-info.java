/** Commands about jobs: one, many, all that a filter names. */
@NullMarked
package dev.millrace.cli.command.job;

import org.jspecify.annotations.NullMarked;
