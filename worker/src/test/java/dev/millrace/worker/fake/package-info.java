/**
 * A server that speaks the worker protocol over real HTTP, as far as a worker can tell, and can be
 * made to misbehave: die and come back, lose an answer, let addresses end, revoke a worker.
 */
@NullMarked
package dev.millrace.worker.fake;

import org.jspecify.annotations.NullMarked;
