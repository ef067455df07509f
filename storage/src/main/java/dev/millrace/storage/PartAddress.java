package dev.millrace.storage;

/**
 * Where one part of an object goes.
 *
 * @param uploadId what {@link PartedUploads#begin} answered
 * @param number from 1
 */
public record PartAddress(String key, String uploadId, int number) {}
