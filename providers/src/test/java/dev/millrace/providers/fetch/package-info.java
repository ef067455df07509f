/** Tests of the fetch client: hostile spellings, redirects, rebinding, limits and plain fetches. */
@org.jspecify.annotations.NullMarked
package dev.millrace.providers.fetch;
