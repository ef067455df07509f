/**
 * LISTEN/NOTIFY between nodes. A notification only wakes; whoever is woken looks at the data. One
 * that is lost delays, because everybody also looks by himself now and then, and loses nothing.
 */
@NullMarked
package dev.millrace.postgres.notify;

import org.jspecify.annotations.NullMarked;
