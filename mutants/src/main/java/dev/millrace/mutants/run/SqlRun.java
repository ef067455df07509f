package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import dev.millrace.mutants.sql.SqlMutant;
import dev.millrace.mutants.sql.SqlMutants;
import java.io.IOException;
import java.io.PrintStream;
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
                repository.classes("postgres"),
                repository.classes("testkit")));
    TestMarks marks =
        new TestMarks(repository.testClasses("postgres"), repository.testClasses("engine"));
    Baseline baseline = new KnownBaseline(repository, out).upToDate(version, marks.stamps());
    KnownResults known = new KnownResults(repository.out().resolve("known-" + version + ".txt"));
    TestOrder order = new TestOrder(baseline, scope.budgetSeconds() * 1000L);
    Trials trials = new Trials(baseline, order, known, marks);
    List<Result> results = new ArrayList<>();
    Queue<Planted> queue = new ConcurrentLinkedQueue<>();
    for (Planted one : planted(baseline)) {
      Optional<Result> result = trials.known(one);
      result.ifPresent(results::add);
      if (result.isEmpty() && !known.isNoMutant(one.named())) {
        queue.add(one);
      }
    }
    out.printf(
        "%,d mutants are known, %,d are tried, %d at a time%n",
        results.size(), queue.size(), scope.children());
    Progress progress = new Progress(out, queue.size());
    try (ExecutorService threads = Executors.newFixedThreadPool(scope.children())) {
      List<Future<List<Result>>> parts = new ArrayList<>();
      for (int i = 1; i <= scope.children(); i++) {
        String name = "child-" + i;
        parts.add(threads.submit(() -> tryAll(name, queue, trials, progress)));
      }
      for (Future<List<Result>> part : parts) {
        results.addAll(part.get());
      }
    }
    return results;
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

  private List<Result> tryAll(String name, Queue<Planted> queue, Trials trials, Progress progress)
      throws IOException {
    List<Result> results = new ArrayList<>();
    try (Children children = new Children(repository, name)) {
      for (Planted one = queue.poll(); one != null; one = queue.poll()) {
        Optional<Result> result = trials.run(one, children);
        progress.done(result.map(Result::fate).filter(Result.Verdict::lives).isPresent());
        result.ifPresent(results::add);
      }
    }
    return results;
  }
}
