/**
 * From a request to the engine's command: which effect, whose wallet, which input, which
 * fingerprint.
 */
@NullMarked
package dev.millrace.service.jobs;

import org.jspecify.annotations.NullMarked;
