/**
 * Files: where their bytes live, how they are named, and how they are handed out.
 *
 * <p>An {@link dev.millrace.storage.ObjectStore} keeps bytes under keys that only the server makes
 * ({@link dev.millrace.storage.ObjectKeys}). An object is visible whole or not at all, and never
 * changes once it is visible, so size and checksum in a {@code file} row stay true for as long as
 * the object exists. The store knows nothing of tenants' rights: whoever asks for a signed URL has
 * checked them already, and a signed URL is the only thing that lets a stranger read or write an
 * object.
 *
 * <p>What providers produce is untrusted. {@link dev.millrace.storage.output.Outputs} bounds its
 * size, holds its type against its first bytes and cleans its name; {@link
 * dev.millrace.storage.picture.Thumbnails} never trusts a picture's header with memory; {@link
 * dev.millrace.storage.url.Downloads} never lets a browser run what it serves.
 *
 * <p>Nothing here knows of HTTP servers, jobs' states or SQL. The HTTP layer calls {@code
 * UrlSigner} and {@code Downloads}; whoever completes a job calls {@code Outputs}, and asks it to
 * verify right before credits are consumed.
 */
@NullMarked
package dev.millrace.storage;

import org.jspecify.annotations.NullMarked;
