package dev.millrace.mutants.sql;

/** Neighbouring tokens of a statement, the last one excluded. */
record Span(int from, int to) {

  boolean isEmpty() {
    return from >= to;
  }

  int length() {
    return to - from;
  }
}
