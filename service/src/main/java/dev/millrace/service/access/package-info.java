/**
 * Who is asking, and what they may do. API keys are shown once and stored as hashes; a revoked key
 * is dead within five seconds on every node.
 */
@NullMarked
package dev.millrace.service.access;

import org.jspecify.annotations.NullMarked;
