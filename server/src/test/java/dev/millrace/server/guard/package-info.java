/** Tests of the gates: what they deny, what they let pass, and what they never give away. */
@NullMarked
package dev.millrace.server.guard;

import org.jspecify.annotations.NullMarked;
