/**
 * The dialect {@code replicate}: predictions, files and what else the clients of Replicate call,
 * under the base {@code /replicate}.
 *
 * <p>A model's name is an effect's slug. Outputs and streams have addresses with a code of their
 * own, because those clients fetch them without a key. Errors are problem+json, which has the
 * fields that these clients read.
 */
@NullMarked
package dev.millrace.web.dialect.replicate;

import org.jspecify.annotations.NullMarked;
