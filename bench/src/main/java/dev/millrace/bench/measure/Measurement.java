package dev.millrace.bench.measure;

/**
 * One number.
 *
 * @param key names it for programs, such as {@code b.256.jobs_per_s}
 * @param label names it for people
 */
public record Measurement(String key, String label, double value, String unit) {}
