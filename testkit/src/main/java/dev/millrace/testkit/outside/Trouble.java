package dev.millrace.testkit.outside;

/** What can go wrong with one request. */
public enum Trouble {
  /** The connection is cut before anything is done. */
  CUT_BEFORE,
  /** It is done, and the connection is cut instead of a reply. */
  CUT_AFTER,
  /** Nothing is done and nothing is said until the service closes. */
  SILENT_BEFORE,
  /** It is done, and nothing is said until the service closes. */
  SILENT_AFTER,
  /** 429 with a Retry-After of {@value Misbehaviour#RETRY_AFTER_SECONDS} seconds. */
  THROTTLED,
  /** 500; nothing is done. */
  BROKEN,
  /** 502 from a gateway; nothing is done, but it doesn't say so. */
  BAD_GATEWAY,
  /** 401; nothing is done. */
  UNAUTHORIZED,
  /** 422 with words; nothing is done. */
  INVALID,
  /** It is done, and the reply is not JSON. */
  GARBAGE,
  /** It is done, and the reply has more bytes than anybody should read. */
  HUGE
}
