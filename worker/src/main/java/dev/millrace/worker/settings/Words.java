package dev.millrace.worker.settings;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits a command line into words, with single and double quotes and the backslash. No shell. */
final class Words {

  private Words() {}

  static List<String> of(String line) {
    List<String> words = new ArrayList<>();
    @Nullable StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean blank = Character.isWhitespace(c);
      if (quote == 0 && blank) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
        continue;
      }
      if (word == null) {
        word = new StringBuilder();
      }
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        i++;
        word.append(line.charAt(i));
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("an open quote");
    }
    if (word != null) {
      words.add(word.toString());
    }
    return List.copyOf(words);
  }
}
