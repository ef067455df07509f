package dev.millrace.spi.executor;

import java.util.Optional;

/**
 * A file of the job's input.
 *
 * @param name the property it is the value of
 * @param sha256 of the content, in lower case hexadecimal digits
 * @param size in bytes
 * @param placeholder the text that stands for the file in the template
 */
public record Asset(
    String name,
    String fileId,
    String sha256,
    long size,
    String mediaType,
    Optional<String> placeholder) {}
