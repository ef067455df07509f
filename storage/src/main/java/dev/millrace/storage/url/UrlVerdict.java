package dev.millrace.storage.url;

import dev.millrace.storage.PartAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a signature says about a request. */
public sealed interface UrlVerdict {

  /**
   * The request may do what its URL was signed for, and nothing else.
   *
   * @param method {@code GET} or {@code PUT}; a {@code HEAD} is granted as the GET it stands for
   * @param filename for the download, if one was signed
   * @param size exactly how many bytes may be put, or {@link ObjectRequest#UNKNOWN_LENGTH} of a GET
   * @param sha256 what is put must have, if one was signed
   */
  record Granted(
      String method,
      String key,
      String mediaType,
      @Nullable String filename,
      long size,
      @Nullable String sha256)
      implements UrlVerdict {}

  /** The request may put this part of an object, of exactly this size. */
  record PartGranted(PartAddress part, long size) implements UrlVerdict {}

  /** It was a good URL until then. */
  record Expired(Instant at) implements UrlVerdict {}

  /**
   * We never signed this.
   *
   * @param reason for the log; tell the caller only that it was refused
   */
  record Refused(String reason) implements UrlVerdict {}
}
