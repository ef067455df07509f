/** What the database knows of the catalogue: numbers of slugs, pauses, timings. */
@NullMarked
package dev.millrace.postgres.catalogue;

import org.jspecify.annotations.NullMarked;
