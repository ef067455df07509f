package dev.millrace.contract.text;

import java.util.List;
import java.util.stream.Stream;

/** Replaces what an owner must not read. Expects text that {@link VisibleCharacters} has seen. */
final class Redaction {

  /** Whole URLs first: what is in them would otherwise be found piece by piece. */
  static final List<Rule> RULES =
      Stream.of(Secrets.BLOCKS, Places.URLS, NamedValues.RULES, Secrets.TOKENS, Places.RULES)
          .flatMap(List::stream)
          .toList();

  private Redaction() {}

  /** Letters are only written otherwise where that shows what they hide. */
  static String of(String text) {
    String plain = PlainLetters.of(text);
    String revealed = applied(plain);
    return revealed.equals(plain) ? applied(text) : revealed;
  }

  private static String applied(String text) {
    String cleaned = text;
    for (Rule rule : RULES) {
      cleaned = rule.apply(cleaned);
    }
    return cleaned;
  }
}
