/**
 * The example of docs/adding-a-provider.md: a whole provider, the suite run against it, and the
 * test that the document shows what is compiled here.
 */
@NullMarked
package dev.millrace.providers.example;

import org.jspecify.annotations.NullMarked;
