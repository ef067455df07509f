package dev.millrace.service.guard;

import com.google.re2j.Pattern;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of one file, ready to judge texts. It never changes. */
public final class RuleSet {

  static final int USUAL_MAX_LENGTH = 20_000;

  /** No rules but a limit on length. */
  static final RuleSet BUILT_IN =
      new RuleSet(USUAL_MAX_LENGTH, Set.of(), List.of(), new WordTree(), List.of());

  /**
   * Whom a rule concerns.
   *
   * @param effects slugs, or beginnings of slugs that end in a star; empty means every effect
   */
  record Coverage(String category, List<String> effects) {

    boolean concerns(String effect) {
      return effects.isEmpty() || effects.stream().anyMatch(listed -> matches(listed, effect));
    }

    private static boolean matches(String listed, String effect) {
      return listed.endsWith("*")
          ? effect.startsWith(listed.substring(0, listed.length() - 1))
          : effect.equals(listed);
    }
  }

  /** Patterns of one category. */
  record PatternRule(Coverage coverage, List<Pattern> any) {}

  private final int maxLength;
  private final Set<String> ignoredProperties;
  private final List<Coverage> wordRules;
  private final WordTree words;
  private final List<PatternRule> patternRules;

  RuleSet(
      int maxLength,
      Set<String> ignoredProperties,
      List<Coverage> wordRules,
      WordTree words,
      List<PatternRule> patternRules) {
    this.maxLength = maxLength;
    this.ignoredProperties = Set.copyOf(ignoredProperties);
    this.wordRules = List.copyOf(wordRules);
    this.words = words;
    this.patternRules = List.copyOf(patternRules);
  }

  /** How many rules there are, for whoever tells of a reload. */
  public int size() {
    return wordRules.size() + patternRules.size();
  }

  int maxLength() {
    return maxLength;
  }

  Set<String> ignoredProperties() {
    return ignoredProperties;
  }

  /** The category of the first rule that the texts break, each by itself or one after another. */
  Optional<String> broken(String effect, List<String> texts) {
    if (size() == 0) {
      return Optional.empty();
    }
    Set<String> each = new LinkedHashSet<>(texts);
    each.add(String.join(" ", texts));
    BitSet found = new BitSet();
    for (String text : each) {
      Set<String> readings = Normaliser.readings(text);
      for (String reading : readings) {
        findWords(reading, found);
      }
      Optional<String> pattern = brokenPattern(effect, text, readings);
      if (pattern.isPresent()) {
        return pattern;
      }
    }
    return found.stream()
        .mapToObj(wordRules::get)
        .filter(rule -> rule.concerns(effect))
        .map(Coverage::category)
        .findFirst();
  }

  private void findWords(String reading, BitSet found) {
    if (words.isEmpty()) {
      return;
    }
    words.find(Spelling.plain(reading), found);
    words.find(Spelling.withSigns(reading), found);
    words.find(Spelling.squeezed(reading), found);
    words.find(Spelling.joined(reading), found);
  }

  /** Patterns see the text as it came, and every reading with its punctuation. */
  private Optional<String> brokenPattern(String effect, String text, Set<String> readings) {
    List<PatternRule> rules =
        patternRules.stream().filter(rule -> rule.coverage().concerns(effect)).toList();
    if (rules.isEmpty()) {
      return Optional.empty();
    }
    Set<String> forms = new LinkedHashSet<>();
    forms.add(text);
    for (String reading : readings) {
      forms.add(reading);
      forms.add(Signs.replaced(reading, 0));
      forms.add(Signs.replaced(reading, 1));
      forms.add(Spelling.joined(reading).toString());
    }
    return rules.stream()
        .filter(rule ->
            rule.any().stream()
                .anyMatch(pattern -> forms.stream().anyMatch(form -> pattern.matcher(form).find())))
        .map(rule -> rule.coverage().category())
        .findFirst();
  }
}
