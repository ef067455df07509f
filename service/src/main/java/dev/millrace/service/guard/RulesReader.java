package dev.millrace.service.guard;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.catalogue.reading.Section;
import dev.millrace.service.catalogue.reading.YamlReader;
import dev.millrace.service.guard.RuleSet.Coverage;
import dev.millrace.service.guard.RuleSet.PatternRule;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the rules of one file, and reports every mistake in it to the file. */
final class RulesReader {

  private static final int MOST_CHARACTERS = 1_000_000;
  private static final int LONGEST_WORD = 100;
  private static final int LONGEST_PATTERN = 1_000;
  private static final int LONGEST_SLUG = 128;
  private static final int MOST_ITEMS = 10_000;

  /** The work per character of a text is bounded by what all patterns together unfold to. */
  private static final int MOST_PATTERN_STEPS = 10_000;

  private static final BigInteger MOST_REPEATS = BigInteger.valueOf(100_000);
  private static final java.util.regex.Pattern REPEAT =
      java.util.regex.Pattern.compile("\\{(?:\\d+,)?(\\d+),?\\}");
  private static final java.util.regex.Pattern WORD_SIGNS =
      java.util.regex.Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{Cf}\\s.'’_-]+");
  private static final java.util.regex.Pattern SLUG =
      java.util.regex.Pattern.compile("[a-z0-9/-]+\\*?|\\*");

  private final SourceFile file;
  private final WordTree words = new WordTree();
  private int patternSteps;

  private RulesReader(SourceFile file) {
    this.file = file;
  }

  /** The rules; meaningless if the file has problems afterwards. */
  static RuleSet read(SourceFile file, String text) {
    return YamlReader.read(file, text)
        .map(root -> new RulesReader(file).rules(root))
        .orElse(RuleSet.BUILT_IN);
  }

  private RuleSet rules(ObjectNode root) {
    Section section = new Section(file, "", root);
    long maxLength = section.whole("max_length", 1, MOST_CHARACTERS, RuleSet.USUAL_MAX_LENGTH);
    Set<String> ignored = new HashSet<>();
    texts(section, "ignore_properties", LONGEST_SLUG, (_, name) -> ignored.add(name));
    List<Coverage> wordRules = new ArrayList<>();
    for (Section rule : section.sections("words")) {
      int number = wordRules.size();
      wordRules.add(coverage(rule));
      atLeastOne(rule, texts(rule, "any", LONGEST_WORD, (at, word) -> addWord(at, word, number)));
      rule.close();
    }
    List<PatternRule> patternRules = new ArrayList<>();
    for (Section rule : section.sections("patterns")) {
      List<Pattern> any = new ArrayList<>();
      Coverage coverage = coverage(rule);
      atLeastOne(
          rule,
          texts(rule, "any", LONGEST_PATTERN, (at, text) -> pattern(at, text).ifPresent(any::add)));
      rule.close();
      patternRules.add(new PatternRule(coverage, List.copyOf(any)));
    }
    section.close();
    return new RuleSet((int) maxLength, ignored, wordRules, words, patternRules);
  }

  private Coverage coverage(Section rule) {
    String category =
        rule.text(
            "category",
            LONGEST_SLUG,
            Verdict.Denied.CATEGORY,
            "at most 40 lower case letters, digits and underscores, the first a letter");
    List<String> effects = new ArrayList<>();
    texts(
        rule,
        "effects",
        LONGEST_SLUG,
        (at, slug) -> {
          if (!SLUG.matcher(slug).matches()) {
            file.report(at, "must be the slug of an effect, or the beginning of slugs and a *");
          }
          effects.add(slug);
        });
    return new Coverage(category, List.copyOf(effects));
  }

  private static void atLeastOne(Section rule, int count) {
    if (count == 0) {
      rule.complain("any", "must list at least one text");
    }
  }

  /** Hands over every good text of a list, and says how many items the list has. */
  private int texts(Section section, String key, int longest, BiConsumer<String, String> take) {
    List<JsonNode> items = section.list(key);
    if (items.size() > MOST_ITEMS) {
      section.complain(key, "must have at most " + MOST_ITEMS + " items");
      return items.size();
    }
    for (int i = 0; i < items.size(); i++) {
      String at = SourceFile.within(section.path(key), i);
      JsonNode item = items.get(i);
      if (!item.isString()) {
        file.report(at, "must be text; put it in quotes");
      } else if (item.stringValue().isBlank()) {
        file.report(at, "must not be empty");
      } else if (item.stringValue().length() > longest) {
        file.report(at, "must have at most " + longest + " characters");
      } else {
        take.accept(at, item.stringValue());
      }
    }
    return items.size();
  }

  private void addWord(String at, String text, int rule) {
    boolean beginning = text.endsWith("*");
    String word = beginning ? text.substring(0, text.length() - 1) : text;
    if (!WORD_SIGNS.matcher(word).matches()) {
      file.report(at, "must be words of letters and digits; a * may only be at its end");
      return;
    }
    String phrase = Spelling.plain(Normaliser.plain(word)).toString().strip();
    boolean unspaced = phrase.codePoints().anyMatch(Normaliser::isUnspaced);
    if (phrase.codePointCount(0, phrase.length()) < (unspaced ? 1 : 2)) {
      file.report(at, "must have at least two letters");
      return;
    }
    words.add(phrase, beginning, rule);
  }

  private Optional<Pattern> pattern(String at, String text) {
    if (repeats(text).compareTo(MOST_REPEATS) > 0) {
      file.report(at, "repeats too much: the numbers in braces multiply to over " + MOST_REPEATS);
      return Optional.empty();
    }
    try {
      Pattern pattern = Pattern.compile(text, Pattern.CASE_INSENSITIVE);
      if (pattern.matcher("").find()) {
        file.report(at, "matches the empty text, and would deny everything");
      }
      patternSteps += pattern.programSize();
      if (patternSteps > MOST_PATTERN_STEPS) {
        file.report(at, "is too much: all patterns up to here together are too large");
      }
      return Optional.of(pattern);
    } catch (PatternSyntaxException wrong) {
      file.report(
          at,
          "is not a pattern of RE2 (which has no lookaround and no backreferences): "
              + wrong.getDescription());
      return Optional.empty();
    }
  }

  /** A pattern is unfolded when it is compiled, so this is looked at before. */
  private static BigInteger repeats(String pattern) {
    return REPEAT
        .matcher(pattern)
        .results()
        .map(found -> new BigInteger(found.group(1)).max(BigInteger.ONE))
        .reduce(BigInteger.ONE, BigInteger::multiply);
  }
}
