package dev.millrace.postgres.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what breaks a node of the version before in a migration, as far as a statement shows it. A
 * statement is excused by a line {@code -- contract: reason} right above it.
 */
final class ExpandThenContract {

  /** Comments, texts and names in quotes, and what stands in dollars, as far as they matter. */
  private static final Pattern PIECE =
      Pattern.compile(
          "--[^\n]*|/\\*.*?\\*/|'[^']*'|\"[^\"]*\"|\\$(\\w*)\\$.*?\\$\\1\\$|;|[^;'\"$/-]+|.",
          Pattern.DOTALL);

  private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

  private static final Pattern EXCUSE = Pattern.compile("\\s*-- contract: \\S.*");

  private static final String NAME = "(?:if exists )?[\\w.%\"]+";

  private static final Map<String, Pattern> BREAKING =
      Map.of(
          "drops what is still read or written",
          pattern("\\bdrop (table|column|type|function|view|sequence|schema|owned)\\b"),
          "drops a column",
          pattern(
              "\\balter table\\b.*\\bdrop (?!(constraint|column|identity|expression|default|not)\\b)"),
          "drops a default that an insert relies on",
          pattern("\\balter (column )?" + NAME + " drop default\\b"),
          "changes a column's type",
          pattern("\\balter (column )?" + NAME + " (set data )?type\\b"),
          "renames",
          pattern("\\brename\\b"),
          "changes the fields of a type in which a running node sends its rows",
          pattern("\\b(add|drop|alter) attribute\\b"));

  private static final Pattern SET_NOT_NULL = pattern("\\bset not null\\b");
  private static final Pattern SET_DEFAULT = pattern("\\bset default\\b");

  /** Up to the next action of the same statement. */
  private static final Pattern ADD_COLUMN =
      pattern("\\badd (column )?(?!constraint\\b)\\w+ .*?(?=, (?:add|alter|drop) |$)");

  private static final Pattern NOT_NULL = pattern("\\bnot null\\b");
  private static final Pattern FILLED = pattern("\\b(default|generated)\\b");

  /** A statement of a file, with the line on which it begins. */
  record Statement(int line, String text, boolean excused) {}

  private ExpandThenContract() {}

  static List<String> broken(String file, String sql) {
    List<String> found = new ArrayList<>();
    for (Statement statement : statements(sql)) {
      if (!statement.excused()) {
        reasons(statement.text())
            .forEach(why -> found.add("%s:%d %s".formatted(file, statement.line(), why)));
      }
    }
    return found;
  }

  private static List<String> reasons(String statement) {
    String text = COMMENT.matcher(statement).replaceAll(" ").replaceAll("\\s+", " ").strip();
    List<String> reasons = new ArrayList<>();
    BREAKING.forEach((why, pattern) -> {
      if (pattern.matcher(text).find()) {
        reasons.add(why);
      }
    });
    if (SET_NOT_NULL.matcher(text).find() && !SET_DEFAULT.matcher(text).find()) {
      reasons.add("asks for a value that an insert may not have");
    }
    if (pattern("\\balter table\\b").matcher(text).find()
        && ADD_COLUMN
            .matcher(text)
            .results()
            .map(MatchResult::group)
            .anyMatch(one -> NOT_NULL.matcher(one).find() && !FILLED.matcher(one).find())) {
      reasons.add("adds a column that an insert doesn't fill");
    }
    return reasons;
  }

  /** Split at semicolons that end a statement; a comment before a statement isn't part of it. */
  static List<Statement> statements(String sql) {
    List<Statement> statements = new ArrayList<>();
    Matcher piece = PIECE.matcher(sql);
    int begin = -1;
    while (piece.find()) {
      String text = piece.group();
      if (begin < 0 && !text.isBlank() && !COMMENT.matcher(text).matches()) {
        begin = piece.start() + text.length() - text.stripLeading().length();
      }
      if (begin >= 0 && text.equals(";")) {
        statements.add(statement(sql, begin, piece.start()));
        begin = -1;
      }
    }
    if (begin >= 0) {
      statements.add(statement(sql, begin, sql.length()));
    }
    return statements;
  }

  private static Statement statement(String sql, int begin, int end) {
    List<String> before = sql.substring(0, begin).lines().toList();
    boolean startsItsLine = begin == 0 || sql.charAt(begin - 1) == '\n';
    int line = startsItsLine ? before.size() + 1 : before.size();
    boolean excused = line > 1 && EXCUSE.matcher(before.get(line - 2)).matches();
    return new Statement(line, sql.substring(begin, end), excused);
  }

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }
}
