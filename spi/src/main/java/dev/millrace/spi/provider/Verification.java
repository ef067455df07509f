package dev.millrace.spi.provider;

import java.util.Objects;
import java.util.Optional;

/** What a call is that claims to come from a service. */
public sealed interface Verification {

  /**
   * It comes from the service, and lately.
   *
   * @param eventId the same when the same news is sent again, and never used for other news
   * @param reference whose work it is about, as in {@link Submission.Accepted}
   * @param intent whose order it is about, if the signed part of the call names it. The address
   *     that was called is not signed, so it proves nothing.
   * @param standing what the call says; {@link AsyncProvider#collect} would say the same or newer
   */
  record Genuine(String eventId, String reference, Optional<String> intent, Standing standing)
      implements Verification {

    private static final int LONGEST_EVENT = 255;

    public Genuine {
      reference = Reference.checked(reference);
      Objects.requireNonNull(standing, "standing");
      if (eventId.isBlank() || eventId.length() > LONGEST_EVENT) {
        throw new IllegalArgumentException("an event id has 1 to 255 characters");
      }
    }
  }

  /** It must not be believed. */
  record Refused(Reason reason, String message) implements Verification {}

  /** Why a call is not believed. */
  enum Reason {
    /** It has no signature, or only a part of one. */
    UNSIGNED,
    /** Nobody who may sign has signed these bytes. */
    WRONG_SIGNATURE,
    /** It was signed too long ago, or in the future: it may be a copy. */
    STALE,
    /** It is signed well, but nothing can be made of what it says. */
    UNREADABLE,
    /** The keys to check it with can't be had now; the service will call again. */
    NO_KEYS
  }
}
