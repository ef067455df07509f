package dev.millrace.engine.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What may still happen to a job that is over, without being part of its history.
 *
 * @param overturnedAt when a moderator took its rejection back
 * @param deletedAt when its owner no longer wanted to see it
 */
public record AfterEnd(@Nullable Instant overturnedAt, @Nullable Instant deletedAt) {

  public static final AfterEnd NONE = new AfterEnd(null, null);

  public boolean overturned() {
    return overturnedAt != null;
  }

  public boolean deleted() {
    return deletedAt != null;
  }

  public AfterEnd overturned(Instant at) {
    return new AfterEnd(at, deletedAt);
  }

  public AfterEnd deleted(Instant at) {
    return new AfterEnd(overturnedAt, at);
  }
}
