/**
 * What Millrace has in PostgreSQL: the engine's ports, reads by topic, the schema, the embedded
 * database and the doctor. Of the program's modules, only this one imports {@code java.sql}.
 */
@NullMarked
package dev.millrace.postgres;

import org.jspecify.annotations.NullMarked;
