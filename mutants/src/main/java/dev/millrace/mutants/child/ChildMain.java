package dev.millrace.mutants.child;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The child process. It answers objects with objects: {@link Question} with a {@link Baseline}, a
 * {@link Trial} with a {@link TrialResult}. A test that hangs ends the process, after its result.
 */
public final class ChildMain {

  /** Those that start a server of their own, or only prepare what others execute. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(".*\\[class:dev\\.millrace\\.postgres\\.(embedded\\.|StatementsPgTest).*");

  /**
   * Asks for the baseline.
   *
   * @param classes the program's
   * @param tests the tests' classes
   * @param known names of test classes that need not be run
   */
  public record Question(String classes, String tests, Set<String> known)
      implements java.io.Serializable {

    public Question {
      known = Set.copyOf(known);
    }

    private boolean asksFor(String test) {
      return !LEFT_OUT.matcher(test).matches()
          && known.stream().noneMatch(type -> test.contains("[class:" + type + "]"));
    }
  }

  private final TestRuns runs = new TestRuns();
  private final Timer timer = new Timer("limit", true);
  private final ObjectOutputStream answers;
  private @Nullable Schema schema;

  private ChildMain(ObjectOutputStream answers) {
    this.answers = answers;
  }

  /** What the tests print must not get between the answers. */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    try (ObjectOutputStream answers = new ObjectOutputStream(out)) {
      answers.flush();
      ObjectInputStream questions = new ObjectInputStream(System.in);
      ChildMain child = new ChildMain(answers);
      while (true) {
        switch (questions.readObject()) {
          case Question question -> child.tell(child.record(question));
          case Trial trial -> child.tell(child.run(trial));
          case Object other -> throw new IllegalStateException("a question like " + other);
        }
      }
    } catch (EOFException _) {
      System.exit(0);
    }
  }

  private synchronized void tell(Object answer) throws IOException {
    answers.writeObject(answer);
    answers.flush();
    answers.reset();
  }

  private Baseline record(Question question) throws IOException, ReflectiveOperationException {
    Recorder recorder = new Recorder();
    Map<String, Long> millis = new LinkedHashMap<>();
    Set<String> failed = new HashSet<>();
    List<String> tests = runs.find(Path.of(question.tests()));
    PatchedSql.recordWith(recorder);
    for (String test : tests) {
      if (!question.asksFor(test)) {
        continue;
      }
      recorder.enter(test);
      long from = System.nanoTime();
      Optional<Throwable> failure = runs.run(test);
      millis.put(test, (System.nanoTime() - from) / 1_000_000);
      failure.ifPresent(why -> {
        failed.add(test);
        System.err.printf("%s fails without a mutant: %s%n", test, why);
      });
    }
    return new Baseline(
        Constants.of(Path.of(question.classes())), recorder.executed(), millis, failed);
  }

  private TrialResult run(Trial trial) throws SQLException {
    if (schema == null) {
      schema = new Schema();
    }
    // A fragment, or a template whose gaps are still open, says nothing by itself.
    if (!schema.understands(trial.mutated())) {
      return new TrialResult(TrialResult.Verdict.INVALID, "", "", 0);
    }
    PatchedSql.plant(trial);
    try {
      return tryAll(trial);
    } finally {
      PatchedSql.plant(null);
    }
  }

  private TrialResult tryAll(Trial trial) {
    for (int i = 0; i < trial.tests().size(); i++) {
      String test = trial.tests().get(i);
      TimerTask limit = limit(test, i);
      timer.schedule(limit, trial.limitMillis().get(i));
      Optional<Throwable> failure = runs.run(test);
      limit.cancel();
      if (failure.isPresent()) {
        return new TrialResult(TrialResult.Verdict.KILLED, test, failure.get().toString(), i + 1);
      }
    }
    return new TrialResult(TrialResult.Verdict.SURVIVED, "", "", trial.tests().size());
  }

  private TimerTask limit(String test, int before) {
    return new TimerTask() {
      @Override
      public void run() {
        try {
          tell(new TrialResult(TrialResult.Verdict.TIMED_OUT, test, "", before + 1));
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
        System.exit(1);
      }
    };
  }
}
