/** Wake-ups on one node, and that none is lost while waiters come and go. */
@NullMarked
package dev.millrace.service.live;

import org.jspecify.annotations.NullMarked;
