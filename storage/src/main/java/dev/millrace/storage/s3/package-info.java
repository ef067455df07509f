/** Objects in any S3-compatible store, by its own protocol and its own signed URLs. */
@NullMarked
package dev.millrace.storage.s3;

import org.jspecify.annotations.NullMarked;
