/** Checksums and signatures against published values. */
@NullMarked
package dev.millrace.contract.digest;

import org.jspecify.annotations.NullMarked;
