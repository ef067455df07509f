package dev.millrace.mutants.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The tokens of a statement, and what is easily asked about them. */
final class Statement {

  /** Words that end the clause before them. Some are names of functions, too. */
  private static final Set<String> CLAUSES =
      Set.of(
          "where",
          "on",
          "group",
          "order",
          "limit",
          "offset",
          "fetch",
          "for",
          "returning",
          "union",
          "except",
          "intersect",
          "having",
          "window",
          "join",
          "left",
          "right",
          "inner",
          "full",
          "cross",
          "then",
          "do",
          "from",
          "set",
          "when",
          "else",
          "rows",
          "range",
          "values",
          ";");

  private final String sql;
  private final List<Token> tokens;

  Statement(String sql) {
    this.sql = sql;
    this.tokens = Tokenizer.tokens(sql);
  }

  String sql() {
    return sql;
  }

  int size() {
    return tokens.size();
  }

  Token at(int index) {
    return tokens.get(index);
  }

  /** Whether these words stand here, one after the other. */
  boolean reads(int index, String... words) {
    for (int i = 0; i < words.length; i++) {
      if (index + i < 0 || index + i >= size() || !at(index + i).is(words[i])) {
        return false;
      }
    }
    return true;
  }

  /** From here to where the next clause begins or the surrounding parenthesis ends. */
  Span clause(int from) {
    return until(from, index -> startsClause(index));
  }

  /** From here to the first token of the same depth that the caller looks for. */
  Span until(int from, Predicate<Integer> end) {
    if (from >= size()) {
      return new Span(from, from);
    }
    int depth = isClosing(from) ? at(from).depth() + 1 : at(from).depth();
    int to = from;
    while (to < size() && !(isClosing(to) && at(to).depth() < depth)) {
      if (at(to).depth() == depth && end.test(to)) {
        break;
      }
      to++;
    }
    return new Span(from, to);
  }

  private boolean isClosing(int index) {
    return at(index).is(")", "]", "end");
  }

  private boolean startsClause(int index) {
    Token token = at(index);
    if (!CLAUSES.contains(token.text()) || token.kind() == Token.Kind.LITERAL) {
      return false;
    }
    boolean function = token.is("left", "right") && reads(index + 1, "(");
    boolean distinctFrom = token.is("from") && reads(index - 1, "distinct");
    boolean column = reads(index - 1, ".");
    return !function && !distinctFrom && !column;
  }

  /** Cuts at a separator of the same depth; {@code between a and b} stays in one piece. */
  List<Span> split(Span span, String separator) {
    List<Span> pieces = new ArrayList<>();
    int depth = span.isEmpty() ? 0 : at(span.from()).depth();
    int from = span.from();
    boolean between = false;
    for (int i = span.from(); i < span.to(); i++) {
      if (at(i).depth() != depth) {
        continue;
      }
      if (at(i).is("between")) {
        between = true;
      } else if (between && at(i).is("and")) {
        between = false;
      } else if (at(i).is(separator)) {
        pieces.add(new Span(from, i));
        from = i + 1;
      }
    }
    pieces.add(new Span(from, span.to()));
    return pieces;
  }

  /** The index of the parenthesis that closes the one here. */
  int closing(int open) {
    int index = open + 1;
    while (at(index).depth() != at(open).depth() || !isClosing(index)) {
      index++;
    }
    return index;
  }

  boolean hasParameter(Span span) {
    return tokens.subList(span.from(), span.to()).stream()
        .anyMatch(token -> token.kind() == Token.Kind.PARAMETER);
  }

  boolean has(Span span, String word) {
    return tokens.subList(span.from(), span.to()).stream().anyMatch(token -> token.is(word));
  }

  String text(Span span) {
    return span.isEmpty() ? "" : sql.substring(at(span.from()).start(), at(span.to() - 1).end());
  }

  /** The statement with another text in place of these tokens. */
  String with(Span span, String replacement) {
    return sql.substring(0, at(span.from()).start())
        + replacement
        + sql.substring(at(span.to() - 1).end());
  }
}
