package dev.millrace.postgres.doctor;

/**
 * A law of Millrace.
 *
 * @param number as the design counts them; one number may have several queries
 * @param law what must be true, in a sentence
 * @param explanation what a violation means, and what to do about it
 * @param sql returns a row for each violation, and none while the law holds
 */
record Invariant(int number, String name, String law, String explanation, String sql) {}
