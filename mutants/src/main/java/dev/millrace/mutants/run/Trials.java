package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import dev.millrace.mutants.child.Trial;
import dev.millrace.mutants.child.TrialResult;
import dev.millrace.mutants.result.Result;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Tries mutants, and remembers what became of them: nothing is tried twice by the same test. */
final class Trials {

  private final TestOrder order;
  private final KnownResults known;

  /** By each test's mark. */
  private final Map<String, String> tests = new HashMap<>();

  /** By each test. */
  private final Map<String, String> marks = new HashMap<>();

  Trials(Baseline baseline, TestOrder order, KnownResults known, TestMarks marks) {
    this.order = order;
    this.known = known;
    for (String test : baseline.millis().keySet()) {
      this.marks.put(test, marks.of(test));
      this.tests.put(marks.of(test), test);
    }
  }

  /** What became of it, if there is no test that could notice it and was not asked yet. */
  Optional<Result> known(Planted one) {
    Optional<KnownResults.Entry> result = known.find(one.named(), tests.keySet());
    result
        .filter(found -> !found.lives())
        .ifPresent(found ->
            found
                .tests()
                .forEach(
                    mark -> order.noticed(one.target(), Objects.requireNonNull(tests.get(mark)))));
    return result
        .filter(found -> !found.lives() || trial(one, found.tests()).tests().isEmpty())
        .map(KnownResults.Entry::result);
  }

  /** Nothing, if PostgreSQL does not understand the mutant. */
  Optional<Result> run(Planted one, Children children) throws IOException {
    Target target = one.target();
    Set<String> tried =
        new HashSet<>(
            known
                .find(one.named(), tests.keySet())
                .map(KnownResults.Entry::tests)
                .orElse(Set.of()));
    Trial trial = trial(one, tried);
    TrialResult result = children.run(trial, target.fresh());
    if (result.fate() == TrialResult.Verdict.INVALID) {
      known.addNoMutant(one.named());
      return Optional.empty();
    }
    if (!result.test().isEmpty()) {
      order.noticed(target, result.test());
      tried.clear();
      tried.add(mark(result.test()));
    } else {
      trial.tests().forEach(test -> tried.add(mark(test)));
    }
    Result told = told(one, result, tried.size());
    known.add(told, tried);
    return Optional.of(told);
  }

  private Trial trial(Planted one, Set<String> escaped) {
    return order.trial(one.target(), one.mutant().sql(), test -> escaped.contains(mark(test)));
  }

  private String mark(String test) {
    return marks.getOrDefault(test, "");
  }

  private static Result told(Planted one, TrialResult result, int tried) {
    String test =
        result.test().replaceAll(".*\\[class:[\\w.]*\\.(\\w+)]/\\[\\S+:(\\w+).*", "$1.$2");
    int all = one.target().tests().size();
    return switch (result.fate()) {
      case INVALID -> throw new IllegalStateException("no mutant");
      case KILLED -> new Result(one.named(), Result.Verdict.KILLED, test);
      case TIMED_OUT -> new Result(one.named(), Result.Verdict.TIMED_OUT, test);
      case SURVIVED ->
          all == 0
              ? new Result(one.named(), Result.Verdict.NO_TEST, "no test executes the statement")
              : new Result(
                  one.named(),
                  Result.Verdict.SURVIVED,
                  "%d of %d tests that execute it passed".formatted(tried, all));
    };
  }
}
