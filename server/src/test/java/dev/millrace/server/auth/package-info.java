/** Tests of the auth's parts that need neither a database nor a server. */
@NullMarked
package dev.millrace.server.auth;

import org.jspecify.annotations.NullMarked;
