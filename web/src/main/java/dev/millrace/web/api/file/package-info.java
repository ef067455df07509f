/** Routes of files, and the signed URLs of a store that we serve ourselves. */
@NullMarked
package dev.millrace.web.api.file;

import org.jspecify.annotations.NullMarked;
