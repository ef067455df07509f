/**
 * The use cases of Millrace, and all of them in one record for whoever serves them.
 *
 * <p>A use case takes values and answers with a sealed result. Nothing here knows HTTP or the JSON
 * of an API; the API and the console call the same objects, which are built once.
 */
@NullMarked
package dev.millrace.service;

import org.jspecify.annotations.NullMarked;
