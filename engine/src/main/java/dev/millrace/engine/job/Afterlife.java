package dev.millrace.engine.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What may still happen to a job that is over, without being part of its history.
 *
 * @param overturnedAt when a moderator took its rejection back
 * @param deletedAt when its owner no longer wanted to see it
 */
public record Afterlife(@Nullable Instant overturnedAt, @Nullable Instant deletedAt) {

  public static final Afterlife NONE = new Afterlife(null, null);

  public boolean overturned() {
    return overturnedAt != null;
  }

  public boolean deleted() {
    return deletedAt != null;
  }

  public Afterlife overturned(Instant at) {
    return new Afterlife(at, deletedAt);
  }

  public Afterlife deleted(Instant at) {
    return new Afterlife(overturnedAt, at);
  }
}
