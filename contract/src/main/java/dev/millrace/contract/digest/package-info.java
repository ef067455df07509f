/**
 * Checksums, signatures and how they are compared: the one home of each.
 *
 * <p>Nothing else here asks the JDK for SHA-256 or for an HMAC, or compares a secret by itself;
 * {@code ArchitectureTest} holds that. A text is hashed as its UTF-8 bytes, and a hash is written
 * in lower-case hexadecimal unless a format wants otherwise.
 */
@NullMarked
package dev.millrace.contract.digest;

import org.jspecify.annotations.NullMarked;
