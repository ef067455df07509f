package dev.millrace.mutants.sql;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Mistakes in what is computed and written. */
final class Values {

  private static final Map<String, String> NEIGHBOURS =
      Map.of("<", "<=", "<=", "<", ">", ">=", ">=", ">");

  private static final int NAMED_TOKENS = 8;

  private Values() {}

  /** A comparison takes the other side of its bound. */
  static void bound(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 1; i < statement.size() - 1; i++) {
      Token token = statement.at(i);
      String neighbour = NEIGHBOURS.get(token.text());
      if (token.kind() == Token.Kind.SYMBOL && neighbour != null) {
        Span symbol = new Span(i, i + 1);
        Span shown = new Span(operandBefore(statement, i), operandAfter(statement, i));
        found.accept(shown, statement.with(symbol, neighbour));
      }
    }
  }

  /** Only for the name of the place: a qualified name, a call or a parenthesis. */
  private static int operandBefore(Statement statement, int index) {
    int depth = statement.at(index).depth();
    int from = index - 1;
    while (from > 0 && statement.at(from).depth() > depth) {
      from--;
    }
    while (from > 0 && (statement.reads(from - 1, ".") || statement.reads(from, "."))) {
      from--;
    }
    boolean call =
        from > 0
            && statement.at(from).is("(")
            && statement.at(from - 1).kind() == Token.Kind.WORD
            && statement.at(from - 1).depth() == depth;
    return call ? from - 1 : from;
  }

  private static int operandAfter(Statement statement, int index) {
    return statement
        .until(
            index + 1,
            i -> statement.at(i).is("and", "or", ",", "then", "order", "group", "limit", ";"))
        .to();
  }

  /** The time of the transaction's begin, which is older than what it waited for. */
  static void clock(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, "clock_timestamp", "(", ")")
          || statement.reads(i, "statement_timestamp", "(", ")")) {
        Span call = new Span(i, i + 3);
        found.accept(
            new Span(startOfValue(statement, i), i + 3),
            statement.with(call, "transaction_timestamp()"));
      }
    }
  }

  /** Only for the name of the place: what the time is compared with, or written to. */
  private static int startOfValue(Statement statement, int index) {
    int from = index;
    while (from > 0
        && index - from < NAMED_TOKENS
        && !statement
            .at(from - 1)
            .is(",", "(", "and", "or", "set", "where", "then", "else", "when")) {
      from--;
    }
    return from;
  }

  /** What stands in for a missing value is forgotten. */
  static void coalesce(Statement statement, BiConsumer<Span, String> found) {
    firstAlone(statement, found, "coalesce");
  }

  /** The greatest or least of several is taken to be the first. */
  static void extreme(Statement statement, BiConsumer<Span, String> found) {
    firstAlone(statement, found, "greatest");
    firstAlone(statement, found, "least");
  }

  private static void firstAlone(
      Statement statement, BiConsumer<Span, String> found, String function) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, function, "(")) {
        int end = statement.closing(i + 1);
        List<Span> arguments = statement.split(new Span(i + 2, end), ",");
        Span first = arguments.getFirst();
        Span rest = new Span(first.to() + 1, end);
        Span call = new Span(i, end + 1);
        if (arguments.size() > 1) {
          found.accept(call, statement.with(call, kept(statement, first, rest, function)));
        }
      }
    }
  }

  private static String kept(Statement statement, Span first, Span rest, String function) {
    return statement.hasParameter(rest)
        ? "case when true then %s else %s(%s) end"
            .formatted(statement.text(first), function, statement.text(rest))
        : "(" + statement.text(first) + ")";
  }

  /** A column keeps what it had. */
  static void assignment(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 1; i < statement.size(); i++) {
      if (!statement.reads(i, "set") || target(statement, i).isEmpty()) {
        continue;
      }
      for (Span assignment : statement.split(statement.clause(i + 1), ",")) {
        if (statement.reads(assignment.from() + 1, "=")) {
          String column = statement.at(assignment.from()).text();
          Span value = new Span(assignment.from() + 2, assignment.to());
          String old = target(statement, i) + "." + column;
          String kept =
              statement.hasParameter(value)
                  ? "case when true then %s else %s end".formatted(old, statement.text(value))
                  : old;
          found.accept(assignment, statement.with(value, kept));
        }
      }
    }
  }

  /** What the updated row is called, or nothing if this is no update. */
  private static String target(Statement statement, int set) {
    if (statement.reads(set - 2, "do", "update")) {
      int insert = set;
      while (insert >= 0 && !statement.reads(insert, "insert", "into")) {
        insert--;
      }
      return insert < 0 ? "" : statement.at(insert + 2).text();
    }
    for (int i = set - 1; i >= Math.max(0, set - 4); i--) {
      if (statement.at(i).is("update")) {
        return statement.at(set - 1).text();
      }
    }
    return "";
  }

  /** What is there already is an error. */
  static void conflict(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, "on", "conflict")) {
        Span clause = statement.until(i, index -> statement.at(index).is("returning", ";"));
        if (!statement.hasParameter(clause)) {
          found.accept(clause, statement.with(clause, ""));
        }
      }
    }
  }
}
