package dev.millrace.contract.text;

import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that is looked for, and what stands in its place.
 *
 * <p>Every repetition in a pattern is bounded, or is possessive and takes what no other part of the
 * pattern wants, so that no text makes it slow.
 *
 * @param replacement null if what was found is harmless after all; what is in it is looked at then
 */
record Rule(Pattern pattern, Function<MatchResult, @Nullable String> replacement) {

  static Rule of(String pattern, String instead) {
    return new Rule(Pattern.compile(pattern), _ -> instead);
  }

  static Rule of(String pattern, Function<MatchResult, @Nullable String> replacement) {
    return new Rule(Pattern.compile(pattern), replacement);
  }

  String apply(CharSequence text) {
    Matcher matcher = pattern.matcher(text);
    StringBuilder cleaned = new StringBuilder(text.length());
    int copied = 0;
    int from = 0;
    while (from <= text.length() && matcher.find(from)) {
      String instead = replacement.apply(matcher);
      from = matcher.start() + 1;
      if (instead != null) {
        cleaned.append(text, copied, matcher.start()).append(instead);
        copied = matcher.end();
        from = Math.max(from, copied);
      }
    }
    return cleaned.append(text, copied, text.length()).toString();
  }
}
