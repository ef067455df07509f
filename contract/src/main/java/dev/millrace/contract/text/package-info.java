/**
 * What may be read by a job's owner, of the texts that come from an operator's side: errors of
 * workers and providers, progress, reasons, summaries.
 *
 * <p>{@link dev.millrace.contract.text.OwnerText} is the only cleaner there is. It takes any string
 * and gives one that shows no secret, address, path or invisible character, is bounded, and costs
 * time in proportion to its length. Ordinary sentences come through as they are. It runs where a
 * text enters the server, so that nothing else has to think of it. Cleaning twice does no harm.
 */
@NullMarked
package dev.millrace.contract.text;

import org.jspecify.annotations.NullMarked;
