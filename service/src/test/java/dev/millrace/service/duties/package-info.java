/** Tests of what the server does again and again by itself, on a real database. */
@NullMarked
package dev.millrace.service.duties;

import org.jspecify.annotations.NullMarked;
