package dev.millrace.architecture.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Every package has a {@code package-info.java} that says what it is for. */
final class PackageChecks {

  static final int SHORTEST_SIGN = 40;

  /** A package of more files is a street, not a room. */
  static final int MOST_FILES = 25;

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern SOURCE_ROOT = Pattern.compile("^.*?src/(main|test)/java/");

  private PackageChecks() {}

  static List<Flaw> check(List<SourceFile> files) {
    List<Flaw> flaws = new ArrayList<>();
    Set<String> signed =
        files.stream()
            .filter(SourceFile::isPackageInfo)
            .map(file -> packageOf(file.folder()))
            .collect(Collectors.toSet());
    Set<String> folders =
        files.stream()
            .filter(SourceFile::isJava)
            .map(SourceFile::folder)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String folder : folders) {
      // The tests of a package live behind its sign; a package of tests alone needs its own.
      if (!signed.contains(packageOf(folder))) {
        flaws.add(new Flaw(folder, 1, "a package without a package-info.java"));
      }
    }
    files.stream()
        .filter(file -> file.isJava() && !file.isTest() && !file.isPackageInfo())
        .collect(Collectors.groupingBy(SourceFile::folder, TreeMap::new, Collectors.counting()))
        .forEach((folder, count) -> {
          if (count > MOST_FILES) {
            flaws.add(new Flaw(folder, 1, "more than " + MOST_FILES + " files: split it by topic"));
          }
        });
    for (SourceFile file : files) {
      if (file.isPackageInfo() && signOf(file.text()).length() < SHORTEST_SIGN) {
        flaws.add(new Flaw(file.path(), 1, "say what the package is for, in a sentence"));
      }
    }
    return flaws;
  }

  private static String packageOf(String folder) {
    return SOURCE_ROOT.matcher(folder).replaceFirst("");
  }

  private static String signOf(String text) {
    Matcher javadoc = JAVADOC.matcher(text);
    return javadoc.find() ? javadoc.group(1).replaceAll("[\\s*]+", " ").strip() : "";
  }
}
