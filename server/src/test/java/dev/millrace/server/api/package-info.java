/** The API as clients see it: every test starts a whole server and speaks HTTP to it. */
@NullMarked
package dev.millrace.server.api;

import org.jspecify.annotations.NullMarked;
