package dev.millrace.mutants.sql;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * One condition of several is dropped: of those that must all hold it is taken for true, of those
 * of which one is enough for false.
 */
final class Conditions implements Mistake {

  @Override
  public void make(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (startsCondition(statement, i)) {
        terms(statement, statement.clause(i + 1), found);
      }
    }
  }

  private static boolean startsCondition(Statement statement, int index) {
    Token token = statement.at(index);
    if (token.is("on")) {
      return !statement.reads(index + 1, "conflict") && !statement.reads(index - 1, "distinct");
    }
    // In "case x when 1 then", what follows is a value.
    return token.is("where", "having")
        || (token.is("when") && searches(statement, index, token.depth()));
  }

  private static boolean searches(Statement statement, int when, int depth) {
    int index = when - 1;
    while (index >= 0 && statement.at(index).depth() >= depth) {
      index--;
    }
    return statement.reads(index, "case", "when");
  }

  private static void terms(Statement statement, Span condition, BiConsumer<Span, String> found) {
    List<Span> ways = statement.split(condition, "or");
    for (Span way : ways) {
      if (ways.size() > 1) {
        found.accept(way, statement.with(way, "(" + statement.text(way) + " and false)"));
      }
      List<Span> terms = statement.split(way, "and");
      for (Span term : terms) {
        if (ways.size() == 1 || terms.size() > 1) {
          drop(statement, term, found);
        }
        if (isGroup(statement, term)) {
          terms(statement, new Span(term.from() + 1, term.to() - 1), found);
        }
      }
    }
  }

  private static void drop(Statement statement, Span term, BiConsumer<Span, String> found) {
    if (!term.isEmpty() && !statement.text(term).equals("true")) {
      found.accept(term, statement.with(term, "(" + statement.text(term) + " or true)"));
    }
  }

  /** Conditions in parentheses, and neither a row nor a query. */
  private static boolean isGroup(Statement statement, Span term) {
    if (term.length() < 3
        || !statement.at(term.from()).is("(")
        || statement.closing(term.from()) != term.to() - 1
        || statement.at(term.from() + 1).is("select", "with")) {
      return false;
    }
    Span inner = new Span(term.from() + 1, term.to() - 1);
    return statement.split(inner, "or").size() > 1 || statement.split(inner, "and").size() > 1;
  }
}
