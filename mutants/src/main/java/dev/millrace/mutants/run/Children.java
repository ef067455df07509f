package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Trial;
import dev.millrace.mutants.child.TrialResult;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One child process at a time; a new one when the last is worn out. */
final class Children implements AutoCloseable {

  /** What a failed test leaves behind in its JVM and on its server must not add up. */
  private static final int MOST_TRIALS = 150;

  private final Repository repository;
  private final String name;
  private @Nullable Child process;
  private int trials;

  Children(Repository repository, String name) {
    this.repository = repository;
    this.name = name;
  }

  /**
   * Runs it, and once more if a test hangs or the process dies: then it was the mutant, and not a
   * machine that has other things to do.
   */
  TrialResult run(Trial trial, boolean fresh) throws IOException {
    TrialResult first = runOnce(trial, fresh);
    return first.fate() == TrialResult.Verdict.TIMED_OUT ? runOnce(trial, fresh) : first;
  }

  private TrialResult runOnce(Trial trial, boolean fresh) throws IOException {
    if (fresh || trials >= MOST_TRIALS) {
      close();
    }
    if (process == null) {
      process = new Child(repository, name);
      trials = 0;
    }
    trials++;
    TrialResult result = answer(process, trial);
    if (fresh || result.fate() == TrialResult.Verdict.TIMED_OUT) {
      close();
    }
    return result;
  }

  private static TrialResult answer(Child process, Trial trial) throws IOException {
    try {
      return process.run(trial);
    } catch (EOFException _) {
      return new TrialResult(TrialResult.Verdict.TIMED_OUT, "", "", 0);
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
      process = null;
    }
  }
}
