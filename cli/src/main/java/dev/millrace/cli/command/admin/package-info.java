/** Commands of those who administer an installation. */
@NullMarked
package dev.millrace.cli.command.admin;

import org.jspecify.annotations.NullMarked;
