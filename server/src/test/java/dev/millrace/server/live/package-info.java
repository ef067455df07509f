/** Wake-ups on one node, and that none is lost while waiters come and go. */
@NullMarked
package dev.millrace.server.live;

import org.jspecify.annotations.NullMarked;
