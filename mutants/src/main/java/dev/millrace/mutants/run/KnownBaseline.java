package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The record of what each test does; only tests that have changed are run for it again. */
final class KnownBaseline {

  private record Recorded(Baseline baseline, Map<String, String> stamps) implements Serializable {

    private static final Recorded NOTHING = new Recorded(Baseline.empty(), Map.of());

    Recorded {
      stamps = Map.copyOf(stamps);
    }
  }

  private final Repository repository;
  private final PrintStream out;

  KnownBaseline(Repository repository, PrintStream out) {
    this.repository = repository;
    this.out = out;
  }

  /**
   * What the tests do that there are now.
   *
   * @param version of the program
   * @param stamps of all test classes, by their names
   */
  Baseline upToDate(String version, Map<String, String> stamps) throws IOException {
    Path file = repository.out().resolve("baseline-" + version + ".ser");
    Recorded recorded = read(file);
    Set<String> known = new HashSet<>();
    stamps.forEach((type, stamp) -> {
      if (stamp.equals(recorded.stamps().get(type))) {
        known.add(type);
      }
    });
    if (known.size() == stamps.size() && recorded.stamps().equals(stamps)) {
      return recorded.baseline();
    }
    out.printf(
        "Running the tests of %d classes, to see which executes which statement ...%n",
        stamps.size() - known.size());
    try (Child child = new Child(repository, "baseline")) {
      Baseline baseline =
          recorded
              .baseline()
              .of(test -> known.contains(TestMarks.typeOf(test)))
              .with(child.record(known));
      try (ObjectOutputStream to = new ObjectOutputStream(Files.newOutputStream(file))) {
        to.writeObject(new Recorded(baseline, stamps));
      }
      baseline.failed().forEach(test -> out.println("It fails without a mutant: " + test));
      return baseline;
    }
  }

  private static Recorded read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Recorded.NOTHING;
    }
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
      return (Recorded) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
