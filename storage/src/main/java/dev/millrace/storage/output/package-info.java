/** What attempts deliver: named by the server, measured, hashed and verified while it is stored. */
@NullMarked
package dev.millrace.storage.output;

import org.jspecify.annotations.NullMarked;
