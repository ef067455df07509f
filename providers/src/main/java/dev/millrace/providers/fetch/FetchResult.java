package dev.millrace.providers.fetch;

import java.net.URI;

/** How a fetch ended. The texts say nothing about addresses, so that they may be shown. */
public sealed interface FetchResult {

  /**
   * There was an answer, of whatever status.
   *
   * @param url where the answer came from, after redirects
   */
  record Fetched(int status, FetchHeaders headers, Content body, URI url) implements FetchResult {}

  /** There was none that could be used. */
  sealed interface Trouble extends FetchResult {}

  /** The URL, or one that it led to, may not be fetched. Asking again changes nothing. */
  record Refused(Reason reason) implements Trouble {}

  /** It took too long. */
  record TimedOut(Phase phase) implements Trouble {}

  /** The answer is larger than we take. */
  record TooLarge(Excess excess) implements Trouble {}

  /** There was nobody, or nobody who speaks HTTP well enough. Another try may succeed. */
  record Unreachable(Gap gap) implements Trouble {}

  /** The caller did not want it any more. */
  record Stopped() implements Trouble {}

  /** Why a URL is refused. */
  enum Reason {
    MALFORMED("it is not a well-formed web address"),
    SCHEME("only http and https are fetched"),
    USERINFO("it has a user name or a password in it"),
    HOST("its host is written in a way that can be misread"),
    ADDRESS("its host is not on the public internet"),
    PORT("its port is not one of those that are allowed"),
    REDIRECTS("it is redirected too often"),
    REDIRECT_LOOP("it is redirected in a circle"),
    CALLER("the site asks not to be read by programs");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** Completes the sentence "The URL can't be fetched: ...". */
    public String text() {
      return text;
    }
  }

  /** What took too long. */
  enum Phase {
    NAME,
    CONNECT,
    HEADERS,
    READ,
    TOTAL
  }

  /** What there was too much of. */
  enum Excess {
    HEADERS,
    BODY,
    COMPRESSION
  }

  /** What was missing. */
  enum Gap {
    NAME("its host has no address"),
    CONNECT("its host does not answer"),
    TLS("its host has no certificate that proves its name"),
    ENCODING("the answer is in an encoding that was not asked for"),
    BROKEN("the answer broke off or could not be read");

    private final String text;

    Gap(String text) {
      this.text = text;
    }

    /** Completes the sentence "The URL can't be fetched: ...". */
    public String text() {
      return text;
    }
  }
}
