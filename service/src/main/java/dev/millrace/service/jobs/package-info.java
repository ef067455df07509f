/**
 * Submits of one job or many, and what is done with jobs afterwards. A request becomes the engine's
 * command here: which effect, whose wallet, which input, which fingerprint.
 */
@NullMarked
package dev.millrace.service.jobs;

import org.jspecify.annotations.NullMarked;
