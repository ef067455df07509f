package dev.millrace.engine.port;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A provider's call in the inbox. It stays there for good, with what became of it.
 *
 * @param reference the provider's own name for the work it speaks of
 * @param intent our own name for the handover, if the call proves that it knows it: with it a call
 *     can be matched although the reference was never stored
 */
public record Callback(
    Id id, String reference, @Nullable String intent, Verdict verdict, Instant receivedAt) {

  /** A provider never uses an event id twice for different news. */
  public record Id(String provider, String event) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int byProvider = provider.compareTo(other.provider);
      return byProvider != 0 ? byProvider : event.compareTo(other.event);
    }
  }

  /** What became of it. */
  public enum Verdict {
    /** Not looked at yet, or come before the work's reference was stored. */
    WAITING,
    /** It decided the job. */
    APPLIED,
    /** The job had been decided otherwise. */
    LATE,
    /** Nobody knows the work. */
    UNMATCHED;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
      return label;
    }
  }

  public boolean waiting() {
    return verdict == Verdict.WAITING;
  }

  public Callback as(Verdict other) {
    return new Callback(id, reference, intent, other, receivedAt);
  }
}
