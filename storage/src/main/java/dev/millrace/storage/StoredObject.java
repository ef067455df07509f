package dev.millrace.storage;

/**
 * An object as it was just stored.
 *
 * @param sha256 in lower-case hexadecimal
 */
public record StoredObject(String key, long size, String sha256, String mediaType) {}
