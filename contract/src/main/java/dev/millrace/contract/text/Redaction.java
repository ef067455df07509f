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

  static String of(String text) {
    String cleaned = applied(text);
    // Of what is left, only what is hidden by its letters is worth writing them otherwise.
    String plain = PlainLetters.of(cleaned);
    String revealed = plain.equals(cleaned) ? plain : applied(plain);
    return revealed.equals(plain) ? cleaned : revealed;
  }

  private static String applied(String text) {
    String cleaned = text;
    for (Rule rule : RULES) {
      cleaned = rule.apply(cleaned);
    }
    return cleaned;
  }
}
