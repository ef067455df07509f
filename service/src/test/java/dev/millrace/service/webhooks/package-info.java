/** Laws of outgoing webhooks that need neither a database nor a network. */
@NullMarked
package dev.millrace.service.webhooks;

import org.jspecify.annotations.NullMarked;
