package dev.millrace.mutants.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a statement into its pieces; white space and comments are left out. */
final class Tokenizer {

  private static final Pattern PIECE =
      Pattern.compile(
          """
          (?<space> \\s+ | --[^\\n]* | /\\*.*?\\*/ )
          | (?<literal> '(?:[^']|'')*' | "(?:[^"]|"")*" | \\$(\\w*)\\$.*?\\$\\3\\$ | \\d[\\w.]* )
          | (?<word> [A-Za-z_][\\w$]* )
          | (?<parameter> \\? | \\$\\d+ )
          | (?<symbol> [(),;.\\[\\]] | ::? | [-+*/<>=~!@\\#%^&|`]+ )
          """,
          Pattern.COMMENTS | Pattern.DOTALL);

  private final List<Token> tokens = new ArrayList<>();
  private int depth;

  private Tokenizer() {}

  static List<Token> tokens(String sql) {
    Tokenizer tokenizer = new Tokenizer();
    Matcher matcher = PIECE.matcher(sql);
    int end = 0;
    while (end < sql.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw new IllegalArgumentException("no token at %d of: %s".formatted(end, sql));
      }
      if (matcher.group("space") == null) {
        tokenizer.add(kind(matcher), matcher.group(), end);
      }
      end = matcher.end();
    }
    return tokenizer.tokens;
  }

  private static Token.Kind kind(Matcher matcher) {
    if (matcher.group("literal") != null) {
      return Token.Kind.LITERAL;
    }
    if (matcher.group("word") != null) {
      return Token.Kind.WORD;
    }
    return matcher.group("parameter") != null ? Token.Kind.PARAMETER : Token.Kind.SYMBOL;
  }

  private void add(Token.Kind kind, String text, int start) {
    Token token = Token.of(kind, text, start, depth);
    if (token.is("(", "[", "case")) {
      depth++;
    } else if (token.is(")", "]", "end")) {
      depth--;
      token = Token.of(kind, text, start, depth);
    }
    tokens.add(token);
  }
}
