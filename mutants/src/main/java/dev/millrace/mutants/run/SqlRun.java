package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import dev.millrace.mutants.child.Trial;
import dev.millrace.mutants.child.TrialResult;
import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import dev.millrace.mutants.sql.SqlMutant;
import dev.millrace.mutants.sql.SqlMutants;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/** The mutants of {@code postgres}. */
public final class SqlRun {

  /**
   * How much is tried.
   *
   * @param wanted which mutants
   * @param sample at most so many of them, 0 for all
   * @param children how many processes work at once
   * @param budgetSeconds of tests for one mutant
   */
  public record Scope(
      Predicate<Mutant> wanted, int sample, long seed, int children, int budgetSeconds) {}

  private record Planted(Target target, SqlMutant mutant) {
    Mutant named() {
      return new Mutant(target.type(), target.member(), mutant.mistake(), mutant.place());
    }
  }

  private final Repository repository;
  private final Scope scope;
  private final PrintStream out;

  public SqlRun(Repository repository, Scope scope, PrintStream out) {
    this.repository = repository;
    this.scope = scope;
    this.out = out;
  }

  public List<Result> run() throws IOException, InterruptedException, ExecutionException {
    DriverPatch.write(repository.out().resolve("driver"));
    String version =
        Repository.checksum(
            List.of(
                repository.classes("engine"),
                repository.testClasses("engine"),
                repository.classes("postgres"),
                repository.testClasses("postgres"),
                repository.classes("testkit")));
    Baseline baseline = baseline(version);
    KnownResults known = new KnownResults(repository.out().resolve("known-" + version + ".txt"));
    List<Planted> planted = planted(baseline);
    out.printf("%,d mutants, %d at a time%n", planted.size(), scope.children());
    Queue<Planted> queue = new ConcurrentLinkedQueue<>(planted);
    TestOrder order = new TestOrder(baseline, scope.budgetSeconds() * 1000L);
    Progress progress = new Progress(out, planted.size());
    List<Result> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(scope.children())) {
      List<Future<List<Result>>> parts = new ArrayList<>();
      for (int i = 1; i <= scope.children(); i++) {
        String name = "child-" + i;
        parts.add(threads.submit(() -> tryAll(name, queue, order, known, progress)));
      }
      for (Future<List<Result>> part : parts) {
        results.addAll(part.get());
      }
    }
    return results;
  }

  /** Recorded anew when any class has changed. */
  private Baseline baseline(String version) throws IOException {
    Path file = repository.out().resolve("baseline-" + version + ".ser");
    if (Files.exists(file)) {
      try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
        return (Baseline) in.readObject();
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
    out.println("Running the tests of postgres once, to see which executes which statement ...");
    try (Child child = new Child(repository, "baseline")) {
      Baseline baseline = child.record();
      try (ObjectOutputStream to = new ObjectOutputStream(Files.newOutputStream(file))) {
        to.writeObject(baseline);
      }
      baseline.failed().forEach(test -> out.println("It fails without a mutant: " + test));
      return baseline;
    }
  }

  /** A statement that is put together in several ways has the same mutant only once. */
  private List<Planted> planted(Baseline baseline) {
    List<Planted> all = new ArrayList<>();
    Set<Mutant> names = new HashSet<>();
    for (Target target : Target.of(baseline)) {
      for (SqlMutant mutant : SqlMutants.of(target.sql())) {
        Planted one = new Planted(target, mutant);
        if (scope.wanted().test(one.named()) && names.add(one.named())) {
          all.add(one);
        }
      }
    }
    if (scope.sample() > 0 && scope.sample() < all.size()) {
      Collections.shuffle(all, new Random(scope.seed()));
      return List.copyOf(all.subList(0, scope.sample()));
    }
    return all;
  }

  private List<Result> tryAll(
      String name, Queue<Planted> queue, TestOrder order, KnownResults known, Progress progress)
      throws IOException {
    List<Result> results = new ArrayList<>();
    try (Children children = new Children(repository, name)) {
      for (Planted one = queue.poll(); one != null; one = queue.poll()) {
        Optional<Result> result = known.find(one.named());
        if (result.isEmpty()) {
          result = tried(one, children, order);
          if (result.isPresent()) {
            known.add(result.get());
          }
        }
        progress.done(result.map(Result::fate).filter(Result.Fate::lives).isPresent());
        result.ifPresent(results::add);
      }
    }
    return results;
  }

  /** Nothing, if PostgreSQL does not understand the mutant. */
  private static Optional<Result> tried(Planted one, Children children, TestOrder order)
      throws IOException {
    Target target = one.target();
    Trial trial = order.trial(target, one.mutant().sql());
    TrialResult result = children.run(trial, target.fresh());
    if (!result.test().isEmpty()) {
      order.noticed(target, result.test());
    }
    String test =
        result.test().replaceAll(".*\\[class:[\\w.]*\\.(\\w+)]/\\[\\S+:(\\w+).*", "$1.$2");
    return switch (result.fate()) {
      case INVALID -> Optional.empty();
      case KILLED -> Optional.of(new Result(one.named(), Result.Fate.KILLED, test));
      case TIMED_OUT -> Optional.of(new Result(one.named(), Result.Fate.TIMED_OUT, test));
      case SURVIVED ->
          Optional.of(
              trial.tests().isEmpty()
                  ? new Result(one.named(), Result.Fate.NO_TEST, "no test executes the statement")
                  : new Result(
                      one.named(),
                      Result.Fate.SURVIVED,
                      "%d of %d tests that execute it passed"
                          .formatted(result.testsRun(), target.tests().size())));
    };
  }
}
