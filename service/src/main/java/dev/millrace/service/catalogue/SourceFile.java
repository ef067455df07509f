package dev.millrace.service.catalogue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One file while it is read: where things are in it, and what is wrong with them.
 *
 * <p>Paths are written as people would say them: {@code effects[2].overrides.style}.
 */
public final class SourceFile {

  /** Beyond this a file is wrong as a whole, and more lines would hide the first ones. */
  private static final int MOST_PROBLEMS = 50;

  private final String name;
  private final boolean builtIn;
  private final @Nullable Path folder;
  private final Set<Path> attached = new LinkedHashSet<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final List<CatalogueProblem> problems = new ArrayList<>();

  public SourceFile(String name, boolean builtIn) {
    this(name, builtIn, null);
  }

  /**
   * Starts a file.
   *
   * @param folder where other files lie beside it; null if there are none
   */
  public SourceFile(String name, boolean builtIn, @Nullable Path folder) {
    this.name = builtIn ? name + " (built in)" : name;
    this.builtIn = builtIn;
    this.folder = folder;
  }

  public Optional<Path> folder() {
    return Optional.ofNullable(folder);
  }

  /** Notes another file that this one refers to, whether it is there or not. */
  public void attach(Path other) {
    attached.add(other);
  }

  public Set<Path> attached() {
    return attached;
  }

  public String name() {
    return name;
  }

  public boolean builtIn() {
    return builtIn;
  }

  public void locate(String path, int line) {
    lines.putIfAbsent(path, line);
  }

  /** The line of a path, or of the nearest thing around it that is really in the file. */
  public OptionalInt line(String path) {
    String around = path;
    while (!around.isEmpty()) {
      Integer line = lines.get(around);
      if (line != null) {
        return OptionalInt.of(line);
      }
      around = around.substring(0, Math.max(0, cut(around)));
    }
    return OptionalInt.empty();
  }

  /** Where something is, for a message about something else. */
  public String place(String path) {
    OptionalInt line = line(path);
    return line.isPresent() ? name + " line " + line.getAsInt() : name;
  }

  /** Reports what is wrong with a path: {@code "must be a list"}. */
  public void report(String path, String complaint) {
    add(line(path), path, path + " " + complaint);
  }

  /** Reports what is wrong with the file as a whole. */
  public void reportFile(String sentence) {
    add(OptionalInt.empty(), "", sentence);
  }

  public void reportLine(int line, String sentence) {
    add(OptionalInt.of(line), "", sentence);
  }

  public boolean hasProblems() {
    return !problems.isEmpty();
  }

  public List<CatalogueProblem> problems() {
    return problems.stream()
        .sorted(Comparator.comparingInt(problem -> problem.line().orElse(Integer.MAX_VALUE)))
        .toList();
  }

  /** The path of a key or an index inside a path. */
  public static String within(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  public static String within(String path, int index) {
    return path + "[" + index + "]";
  }

  private static int cut(String path) {
    return Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  }

  private void add(OptionalInt line, String path, String message) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new CatalogueProblem(name, line, path, message));
    } else if (problems.size() == MOST_PROBLEMS) {
      problems.add(
          new CatalogueProblem(
              name, OptionalInt.empty(), "", "there are more mistakes than these"));
    }
  }
}
