/** Laws of outgoing webhooks that need neither a database nor a network. */
@NullMarked
package dev.millrace.server.webhooks;

import org.jspecify.annotations.NullMarked;
