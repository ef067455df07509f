/**
 * Runs providers inside the server. It leases from the same queue as every worker, heartbeats,
 * stores and verifies outputs, and gives leases back when the server stops.
 */
@NullMarked
package dev.millrace.service.execution;

import org.jspecify.annotations.NullMarked;
