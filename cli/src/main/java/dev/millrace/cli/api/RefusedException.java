package dev.millrace.cli.api;

import java.time.Duration;
import java.util.Optional;

/** The server answered, and the answer is no. */
public final class RefusedException extends RuntimeException {

  private final transient ApiProblem problem;
  private final transient Optional<Duration> retryAfter;

  public RefusedException(ApiProblem problem, Optional<Duration> retryAfter) {
    super(problem.status() + " " + problem.code() + ": " + problem.detail());
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  public ApiProblem problem() {
    return problem;
  }

  /** How long the server asks to wait before the next try. */
  Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
