/** The engine's ports on PostgreSQL. The only module that imports {@code java.sql}. */
@NullMarked
package dev.millrace.postgres;

import org.jspecify.annotations.NullMarked;
