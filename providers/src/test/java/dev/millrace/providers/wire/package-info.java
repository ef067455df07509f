/** The reading of replies, outputs and signatures, where recordings say what is right. */
@NullMarked
package dev.millrace.providers.wire;

import org.jspecify.annotations.NullMarked;
