package dev.millrace.service.catalogue;

import dev.millrace.storage.MediaType;
import java.nio.file.Path;

/**
 * A file that comes with a workflow or an effect, as it was when the catalogue was read.
 *
 * @param name by which the template and the executor know it
 * @param sha256 in lower-case hexadecimal
 */
public record AssetFile(String name, Path path, MediaType type, long size, String sha256) {}
