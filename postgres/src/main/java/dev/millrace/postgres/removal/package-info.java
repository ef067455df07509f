/**
 * All that belongs to one tenant: counted, handed out row by row, and taken away in steps.
 *
 * <p>Each step is one transaction after which every law of the doctor holds, and begins where the
 * one before ended, whoever made that. Nothing is kept in between but what is left. A table with a
 * tenant's rows that isn't known here fails a test.
 */
@NullMarked
package dev.millrace.postgres.removal;

import org.jspecify.annotations.NullMarked;
