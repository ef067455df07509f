package dev.millrace.mutants.sql;

import java.io.Serializable;

/**
 * A statement with one mistake.
 *
 * @param mistake such as "condition dropped"
 * @param place the text that it was made in, on one line
 */
public record SqlMutant(String mistake, String place, String sql) implements Serializable {}
