/** What every connection has in force, which ones are refused, and how troubles are told. */
@NullMarked
package dev.millrace.postgres.connection;

import org.jspecify.annotations.NullMarked;
