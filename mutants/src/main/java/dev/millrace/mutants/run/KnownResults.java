package dev.millrace.mutants.run;

import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known about the very same classes from a run that was interrupted, or had another scope.
 * It is written at once, since the whole takes hours.
 */
final class KnownResults {

  private record Known(Result.Fate fate, String detail) {}

  private final Path file;
  private final Map<String, Known> known = new HashMap<>();

  KnownResults(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("\t", -1);
        known.put(parts[1], new Known(Result.Fate.valueOf(parts[0]), parts[2]));
      }
    }
  }

  synchronized Optional<Result> find(Mutant mutant) {
    return Optional.ofNullable(known.get(mutant.name()))
        .map(one -> new Result(mutant, one.fate(), one.detail()));
  }

  synchronized void add(Result result) throws IOException {
    known.put(result.mutant().name(), new Known(result.fate(), result.detail()));
    Files.write(
        file,
        List.of(String.join("\t", result.fate().name(), result.mutant().name(), result.detail())),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
