/**
 * What the engine needs from the outside: a store with transactions, and nothing else.
 *
 * <p>The store's clock is the only clock. A store implementation decides nothing; it locks, reads
 * and writes what it is told, all or nothing.
 */
@NullMarked
package dev.millrace.engine.port;

import org.jspecify.annotations.NullMarked;
