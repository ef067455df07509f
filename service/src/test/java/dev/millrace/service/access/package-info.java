/** Tests of the auth's parts that need neither a database nor a server. */
@NullMarked
package dev.millrace.service.access;

import org.jspecify.annotations.NullMarked;
