/** Objects on the local disk, durable before they are acknowledged. */
@NullMarked
package dev.millrace.storage.local;

import org.jspecify.annotations.NullMarked;
