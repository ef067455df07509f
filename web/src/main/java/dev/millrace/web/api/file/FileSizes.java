package dev.millrace.web.api.file;

/**
 * The largest files that users may bring, and that workers may.
 *
 * @param part what is larger comes in parts of this size
 */
public record FileSizes(long upload, long output, long part) {}
