package dev.millrace.architecture.documents;

import dev.millrace.architecture.tidy.Repository;
import dev.millrace.architecture.tidy.SourceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page in Markdown, taken apart.
 *
 * @param path relative to the repository
 * @param prose the text without its blocks of code
 * @param blocks the lines of all blocks of code, those that go on joined
 */
record Page(String path, String prose, List<String> blocks) {

  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```[^\\n]*\\n(.*?)^ *```$");
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");

  /** Every page, but for the list of changes, which tells of what was. */
  static List<Page> all() throws IOException {
    return Repository.files().stream()
        .filter(file -> file.isMarkdown() && !file.path().equals("CHANGELOG.md"))
        .map(Page::of)
        .toList();
  }

  static Page of(SourceFile file) {
    List<String> blocks = new ArrayList<>();
    FENCE
        .matcher(file.text())
        .results()
        .flatMap(block -> block.group(1).replaceAll("\\\\\\n\\s*", " ").lines())
        .forEach(blocks::add);
    return new Page(file.path(), FENCE.matcher(file.text()).replaceAll(""), blocks);
  }

  /** What stands between backticks, on one line. */
  List<String> spans() {
    return SPAN.matcher(prose)
        .results()
        .map(span -> span.group(1).replaceAll("\\s+", " ").strip())
        .toList();
  }

  /** All that is written as code, in spans and blocks. */
  Stream<String> code() {
    return Stream.concat(spans().stream(), blocks.stream());
  }

  List<String> links() {
    return LINK.matcher(prose).results().map((MatchResult link) -> link.group(1)).toList();
  }

  /** The names that headings can be linked by, as GitHub makes them. */
  Set<String> anchors() {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new TreeSet<>();
    for (MatchResult heading : HEADING.matcher(prose).results().toList()) {
      String anchor =
          heading
              .group(1)
              .replaceAll("\\[([^\\]]+)\\]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .strip()
              .replace(' ', '-');
      int count = seen.merge(anchor, 1, Integer::sum);
      anchors.add(count == 1 ? anchor : anchor + "-" + (count - 1));
    }
    return anchors;
  }

  /** The first cells of the rows of all tables, and the whole rows. */
  List<List<String>> rows() {
    return prose
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> List.of(line.substring(2).split("(?<!\\\\)\\s*\\|\\s*", -1)))
        .toList();
  }
}
