package dev.millrace.storage;

/**
 * What a store holds under a key.
 *
 * @param sha256 in lower-case hexadecimal
 */
public record ObjectStat(long size, String sha256) {}
