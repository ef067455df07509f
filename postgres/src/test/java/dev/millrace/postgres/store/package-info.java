/** The engine on real PostgreSQL: alone, in crowds, and when connections break. */
@NullMarked
package dev.millrace.postgres.store;

import org.jspecify.annotations.NullMarked;
