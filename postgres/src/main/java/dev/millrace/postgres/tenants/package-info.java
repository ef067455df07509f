/** Tenants, keys, sign-ins of the console, and the audit. */
@NullMarked
package dev.millrace.postgres.tenants;

import org.jspecify.annotations.NullMarked;
