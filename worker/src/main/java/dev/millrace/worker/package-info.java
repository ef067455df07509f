/**
 * The worker: a program that pulls jobs from a Millrace server and runs them on this machine.
 *
 * <p>{@link dev.millrace.worker.Main} is the process, {@link dev.millrace.worker.WorkerProcess}
 * puts its parts together. From the bottom up: {@code spi} is what executors see; {@code http},
 * {@code log}, {@code settings} and {@code files} are tools; {@code control} speaks to the server;
 * {@code run} runs jobs; {@code command}, {@code comfy} and {@code cloud} are executors; {@code
 * aws} is what a machine of EC2 needs.
 */
@NullMarked
package dev.millrace.worker;

import org.jspecify.annotations.NullMarked;
