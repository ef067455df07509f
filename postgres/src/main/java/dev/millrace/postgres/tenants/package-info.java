/**
 * Tenants, and who is let in to act for them: keys, user tokens, tickets for streams, sign-ins of
 * the console, origins of pages; and the audit of what was administered.
 *
 * <p>Secrets are stored as hashes, and the audit is only added to.
 */
@NullMarked
package dev.millrace.postgres.tenants;

import org.jspecify.annotations.NullMarked;
