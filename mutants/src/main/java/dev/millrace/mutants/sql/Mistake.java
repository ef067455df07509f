package dev.millrace.mutants.sql;

import java.util.function.BiConsumer;

/** A kind of mistake; it is made wherever a statement has a place for it, once each. */
interface Mistake {

  /**
   * Tells of each place, with the statement that has the mistake there.
   *
   * @param found gets the place and the whole statement with its mistake
   */
  void make(Statement statement, BiConsumer<Span, String> found);
}
