package dev.millrace.mutants.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The checked-in list of survivors that change nothing anybody could see. A mutant's name stands on
 * a line of its own; the indented lines below say why. Several mutants may share one reason. Lines
 * with a {@code #} are comments.
 */
public final class Explanations {

  private final Map<String, String> reasons;

  private Explanations(Map<String, String> reasons) {
    this.reasons = reasons;
  }

  public static Explanations read(Path file) throws IOException {
    return Files.exists(file) ? parse(Files.readAllLines(file)) : parse(List.of());
  }

  static Explanations parse(List<String> lines) {
    Map<String, String> reasons = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    boolean explained = false;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith(" ")) {
        if (names.isEmpty()) {
          throw new IllegalArgumentException("a reason for nothing: " + line.strip());
        }
        names.forEach(name -> reasons.merge(name, line.strip(), (a, b) -> a + " " + b));
        explained = true;
        continue;
      }
      if (explained) {
        names.clear();
        explained = false;
      }
      if (reasons.containsKey(line.strip())) {
        throw new IllegalArgumentException("explained twice: " + line.strip());
      }
      names.add(line.strip());
    }
    if (!explained && !names.isEmpty()) {
      throw new IllegalArgumentException("no reason is given for " + names);
    }
    return new Explanations(reasons);
  }

  public boolean explain(Mutant mutant) {
    return reasons.containsKey(mutant.name());
  }

  /**
   * Entries that excuse nobody: their mutant is gone, or some test has learned to notice it.
   *
   * @param results of whole classes; entries of other classes are left alone
   */
  public List<String> stale(Collection<Result> results) {
    Set<String> types = new HashSet<>();
    Set<String> alive = new HashSet<>();
    for (Result result : results) {
      types.add(result.mutant().type());
      if (result.fate().lives()) {
        alive.add(result.mutant().name());
      }
    }
    return reasons.keySet().stream()
        .filter(name -> types.contains(name.substring(0, Math.max(0, name.indexOf('.')))))
        .filter(name -> !alive.contains(name))
        .toList();
  }
}
