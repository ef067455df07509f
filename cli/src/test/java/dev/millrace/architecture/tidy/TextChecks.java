package dev.millrace.architecture.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What can be seen in the lines of a file, whatever its language. */
final class TextChecks {

  static final int LONGEST_LINE = 120;
  static final int LONGEST_README = 150;

  // Written in pieces, so that this file passes its own checks.
  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  // Ada is nobody: examples and tests that need a home use hers.
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.*}-])/(roo" + "t|hom" + "e|wor" + "k|Use" + "rs)/(?!ada\\b)");
  private static final Pattern SLEEP = Pattern.compile("Thread\\s*\\.\\s*" + "sleep\\b");
  private static final Pattern SHARED_POOL = Pattern.compile("\\b(run|supply)" + "Async\\(");
  private static final Pattern DISABLED = Pattern.compile("@Dis" + "abled\\b");

  private TextChecks() {}

  static List<Flaw> check(SourceFile file) {
    List<Flaw> flaws = new ArrayList<>();
    flaws.addAll(lines(file, "trailing whitespace", line -> !line.equals(line.stripTrailing())));
    flaws.addAll(lines(file, "unfinished work belongs in an issue", UNFINISHED.asPredicate()));
    if (!file.path().equals("millrace")) { // It looks for a JDK in well-known places.
      flaws.addAll(lines(file, "a path of somebody's machine", MACHINE_PATH.asPredicate()));
    }
    if (file.isJava()) {
      flaws.addAll(lines(file, "a tab", line -> line.indexOf('\t') >= 0));
    }
    if (file.isTest() && file.isJava()) {
      flaws.addAll(lines(file, "a sleep; wait for a condition instead", SLEEP.asPredicate()));
      flaws.addAll(lines(file, "a pool of one thread; use Background", SHARED_POOL.asPredicate()));
      flaws.addAll(lines(file, "a disabled test; mend or delete it", DISABLED.asPredicate()));
    }
    if (file.isMarkdown() || file.path().matches(".*\\.(ya?ml|sql)")) {
      flaws.addAll(lines(file, "longer than " + LONGEST_LINE, TextChecks::isTooLong));
    }
    if (file.path().equals("README.md") && file.lines().size() > LONGEST_README) {
      flaws.add(new Flaw(file.path(), LONGEST_README, "the README is for a stranger's first look"));
    }
    return flaws;
  }

  /** A table's row and an address can't be wrapped. */
  private static boolean isTooLong(String line) {
    return line.length() > LONGEST_LINE && !line.startsWith("|") && !line.contains("://");
  }

  private static List<Flaw> lines(SourceFile file, String law, Predicate<String> isFlawed) {
    List<Flaw> flaws = new ArrayList<>();
    List<String> lines = file.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (isFlawed.test(lines.get(i))) {
        flaws.add(new Flaw(file.path(), i + 1L, law));
      }
    }
    return flaws;
  }
}
