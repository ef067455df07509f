package dev.millrace.service.guard;

import java.time.Duration;
import java.util.List;

/** Somebody who can tell whether texts are acceptable. */
public interface Moderation {

  Answer classify(List<String> texts) throws InterruptedException;

  /** What it says. */
  sealed interface Answer {

    record Clear() implements Answer {}

    /**
     * At least one text isn't acceptable.
     *
     * @param category in the form of {@link Verdict.Denied#category}
     */
    record Flagged(String category) implements Answer {}

    /**
     * It gave no good answer.
     *
     * @param reason for the log, without a word of the texts
     */
    record Trouble(String reason, Duration retryAfter) implements Answer {}
  }
}
