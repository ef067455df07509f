package dev.millrace.spi.executor;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The attempt failed, in a way that the executor understands. */
public final class JobFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /** What follows for the job. */
  public enum Kind {
    /** Another attempt may succeed. */
    RETRYABLE,
    /** This input can never succeed here. */
    PERMANENT,
    /** A safety filter refused. */
    SAFETY,
    /** Not the job's doing: what runs it went away or is ill. The job returns to its queue. */
    INTERRUPTED;

    /** The word that the server knows. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;
  private final transient Optional<Duration> retryAfter;
  private final boolean doubtful;

  private JobFailure(Kind kind, String message, Optional<Duration> retryAfter, boolean doubtful) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.doubtful = doubtful;
  }

  public static JobFailure of(Kind kind, String message) {
    return new JobFailure(kind, message, Optional.empty(), kind == Kind.INTERRUPTED);
  }

  /** Another attempt may succeed. The message is shown to the job's owner. */
  public static JobFailure retryable(String message) {
    return of(Kind.RETRYABLE, message);
  }

  /** Another attempt may succeed, but not before some time has passed. */
  public static JobFailure retryable(String message, Duration retryAfter) {
    return new JobFailure(Kind.RETRYABLE, message, Optional.of(retryAfter), false);
  }

  /** This input can never succeed here. The message is shown to the job's owner. */
  public static JobFailure permanent(String message) {
    return of(Kind.PERMANENT, message);
  }

  /** A safety filter refused. */
  public static JobFailure safety(String message) {
    return of(Kind.SAFETY, message);
  }

  /**
   * What runs the job went away, or is ill. The job goes back to its queue at once, and that isn't
   * counted as its failure. The reason is shown to the job's owner.
   */
  public static JobFailure interrupted(String reason) {
    return of(Kind.INTERRUPTED, reason);
  }

  /**
   * The same, and what runs the jobs may be ill. No other job is taken until the executor was asked
   * again whether it is in trouble. An interruption always means that.
   */
  public JobFailure withDoubt() {
    return new JobFailure(kind, String.valueOf(getMessage()), retryAfter, true);
  }

  /** Whether what runs the jobs may be ill. */
  public boolean isDoubtful() {
    return doubtful;
  }

  public Kind kind() {
    return kind;
  }

  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
