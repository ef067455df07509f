package dev.millrace.storage.url;

/** What comes of a granted download. */
public sealed interface DownloadResult {

  record Ready(Download download) implements DownloadResult {}

  /** The object is gone, perhaps since its job was deleted. */
  record Missing() implements DownloadResult {}

  /**
   * The client has it already: 304.
   *
   * @param tag the entity tag that it has
   */
  record Unchanged(String tag) implements DownloadResult {}

  /** The range lies outside the object: 416. */
  record RangeNotSatisfiable(long size) implements DownloadResult {

    /** The Content-Range header that tells the client where the object ends. */
    public String contentRange() {
      return "bytes */" + size;
    }
  }
}
