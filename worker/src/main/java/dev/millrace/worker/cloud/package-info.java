/**
 * Runs workflows on Comfy Cloud, which speaks nearly as ComfyUI does, and costs money.
 *
 * <p>It deduplicates nothing, so a submit whose answer was lost is looked for among the account's
 * jobs before anything is bought again. The API key goes to the API and never along a redirect.
 */
@NullMarked
package dev.millrace.worker.cloud;

import org.jspecify.annotations.NullMarked;
