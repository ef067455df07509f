/** Tests of the fleet's parts that need neither a database nor a server. */
@NullMarked
package dev.millrace.service.fleet;

import org.jspecify.annotations.NullMarked;
