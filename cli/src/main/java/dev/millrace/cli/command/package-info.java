/**
 * The subcommands, one class or one small family of classes each.
 *
 * <p>A command parses its options, asks the API, and prints. It holds no state between calls and is
 * built only when it was typed. The root command in the parent package is the only caller.
 */
@NullMarked
package dev.millrace.cli.command;

import org.jspecify.annotations.NullMarked;
