/**
 * One attempt at a job, whoever performs it: its accounts, its input, and the verdict on what came
 * of it.
 */
@NullMarked
package dev.millrace.service.attempt;

import org.jspecify.annotations.NullMarked;
