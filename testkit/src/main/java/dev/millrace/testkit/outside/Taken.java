package dev.millrace.testkit.outside;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work that a double took.
 *
 * @param listedAt when it appears in the list
 * @param toldAt when its end was told by a webhook; null if it was not yet
 */
public record Taken(String intent, Instant at, Instant listedAt, @Nullable Instant toldAt) {

  /** Whether whoever asked, or listened, at this moment knew of it. */
  public boolean knownAt(Instant time) {
    return listedAt.isBefore(time) || (toldAt != null && toldAt.isBefore(time));
  }
}
