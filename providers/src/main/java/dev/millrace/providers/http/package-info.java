/**
 * A provider that a YAML file describes, for services that need no code: where to send what, and
 * where in the reply the reference, the status, the outputs and the error are.
 *
 * <p>A {@link dev.millrace.providers.http.Description} is read once, and all mistakes in it are
 * named with their place. Placeholders are filled as JSON values, never by gluing text, so no input
 * can change the shape of a request; in addresses they are escaped. {@link
 * dev.millrace.providers.http.HttpFactory} finds the files in the folder of providers.
 */
@NullMarked
package dev.millrace.providers.http;

import org.jspecify.annotations.NullMarked;
