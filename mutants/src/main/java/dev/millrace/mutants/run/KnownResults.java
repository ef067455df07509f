package dev.millrace.mutants.run;

import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known about the very same program from a run that was interrupted, had another scope, or
 * had other tests. It is written at once, since the whole takes hours. Tests are known by their
 * marks, which change when a test does.
 */
final class KnownResults {

  private static final String NO_MUTANT = "INVALID";

  /**
   * What became of a mutant.
   *
   * @param tests of those who noticed it, or of all whom it escaped
   */
  record Entry(Result result, Set<String> tests) {
    Entry {
      tests = Set.copyOf(tests);
    }

    boolean lives() {
      return result.fate().lives();
    }
  }

  private final Path file;
  private final Map<String, String[]> lines = new HashMap<>();

  KnownResults(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("\t", -1);
        lines.put(parts[1], parts);
      }
    }
  }

  /**
   * Nothing, if it was noticed by a test that is no longer as it was.
   *
   * @param present the marks of all tests there are
   */
  synchronized Optional<Entry> find(Mutant mutant, Set<String> present) {
    String[] parts = lines.get(mutant.name());
    if (parts == null || parts[0].equals(NO_MUTANT)) {
      return Optional.empty();
    }
    Result result = new Result(mutant, Result.Verdict.valueOf(parts[0]), parts[2]);
    Set<String> tests = new HashSet<>(List.of(parts[3].split(",")));
    tests.retainAll(present);
    return result.fate().lives() || !tests.isEmpty()
        ? Optional.of(new Entry(result, tests))
        : Optional.empty();
  }

  /** True if PostgreSQL does not understand it. */
  synchronized boolean isNoMutant(Mutant mutant) {
    String[] parts = lines.get(mutant.name());
    return parts != null && parts[0].equals(NO_MUTANT);
  }

  synchronized void add(Result result, Collection<String> tests) throws IOException {
    write(
        result.fate().name(),
        result.mutant().name(),
        result.detail(),
        String.join(",", tests.stream().sorted().toList()));
  }

  synchronized void addNoMutant(Mutant mutant) throws IOException {
    write(NO_MUTANT, mutant.name(), "", "");
  }

  private void write(String... parts) throws IOException {
    lines.put(parts[1], parts);
    Files.write(
        file,
        List.of(String.join("\t", parts)),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
