/** Tests of the gates: what they deny, what they let pass, and what they never give away. */
@NullMarked
package dev.millrace.service.guard;

import org.jspecify.annotations.NullMarked;
