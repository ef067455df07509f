/** Wake-ups between real connections. */
@NullMarked
package dev.millrace.postgres.notify;

import org.jspecify.annotations.NullMarked;
