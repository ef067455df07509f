/** Wake-ups between real connections: they arrive, survive a cut, and lose nothing for good. */
@NullMarked
package dev.millrace.postgres.notify;

import org.jspecify.annotations.NullMarked;
