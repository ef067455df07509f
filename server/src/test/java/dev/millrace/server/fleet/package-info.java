/** Tests of the fleet's parts that need neither a database nor a server. */
@NullMarked
package dev.millrace.server.fleet;

import org.jspecify.annotations.NullMarked;
