/**
 * What reviewers decide: which items of a result are delivered, and what follows up on them.
 *
 * <p>A decision names the items it is about, so the engine refuses it if somebody decided otherwise
 * meanwhile. Knows no HTTP; called by the API and the console.
 */
@NullMarked
package dev.millrace.service.review;

import org.jspecify.annotations.NullMarked;
