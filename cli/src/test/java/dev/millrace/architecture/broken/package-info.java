/**
 * A small program in which every rule is broken once, so that {@link
 * dev.millrace.architecture.ArchitectureRules} can be seen to notice.
 */
@NullMarked
package dev.millrace.architecture.broken;

import org.jspecify.annotations.NullMarked;
