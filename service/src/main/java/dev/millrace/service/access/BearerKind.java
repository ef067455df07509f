package dev.millrace.service.access;

/** A kind of text that somebody may show to be let in, such as an API key. */
public interface BearerKind {

  /** Whether a text looks like one of this kind; no secret is needed to tell. */
  boolean fits(String text);

  /** Whose text this is; it may be remembered for a moment. */
  Finding find(String text);

  /** What came of the look for whoever showed a text. */
  sealed interface Finding {

    /** Somebody is let in. */
    record Known(Principal principal) implements Finding {}

    /**
     * Nobody is.
     *
     * @param reason a sentence for whoever asked, which gives nothing away
     */
    record Refused(String reason) implements Finding {}

    /**
     * It is a token of somebody else's making, and isn't good here or now.
     *
     * @param reason a sentence that says what to do, and quotes nothing of the token
     */
    record BadToken(String reason) implements Finding {}

    /**
     * It is clear who asks, and that this gives no right to anything.
     *
     * @param reason a sentence that says what to do
     */
    record NoAccess(String reason) implements Finding {}

    /** Whoever could vouch for it can't be asked now. */
    record Unsure() implements Finding {}
  }
}
