/**
 * Real servers, real processes, real signals: what the embedded database promises is about exactly
 * those.
 */
@NullMarked
package dev.millrace.postgres.embedded;

import org.jspecify.annotations.NullMarked;
