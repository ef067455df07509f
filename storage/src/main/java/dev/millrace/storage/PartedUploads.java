package dev.millrace.storage;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Objects that come in parts, each to a signed URL of its own. Nothing of them is visible until all
 * parts are there and somebody says so; until then it can be given up at any time.
 *
 * <p>Every method throws {@link IllegalArgumentException} for a key that is not well formed, and
 * {@link ObjectStoreException} when the store itself fails.
 */
public interface PartedUploads {

  /** Whoever needs longer than this is given up. */
  Duration LONGEST = Duration.ofDays(7);

  /** What parts are sent as; their object has a type of its own. */
  String PART_TYPE = "application/octet-stream";

  /** What comes of putting the parts together. */
  enum Finish {
    /** The object is there, perhaps since an earlier call. */
    DONE,
    /** There is no such upload: it was given up, or never begun. */
    UNKNOWN,
    /** A part is missing, or is another than was named. Nothing changed. */
    PARTS_DIFFER
  }

  /** Begins an object; answers with the id of the upload, which means nothing to others. */
  String begin(String key, String mediaType);

  /**
   * A URL that lets its holder put this part, of exactly this size, until it expires. Put again, a
   * part replaces the one before. The answer's {@code ETag} names what was put.
   */
  SignedUrl signedPut(PartAddress part, long size, Duration ttl);

  /**
   * Takes a part that came to this server. Only a store whose URLs lead here is asked.
   *
   * @return the part's tag; empty if there is no such upload
   * @throws IOException from the body, or if it doesn't have this size; nothing is kept then
   */
  Optional<String> put(PartAddress part, InputStream body, long size) throws IOException;

  /**
   * Makes the object visible, whole. Asked again, it answers the same.
   *
   * @param tags of all parts in order, with or without their quotes
   */
  Finish finish(String key, String uploadId, List<String> tags);

  /** Throws away what came so far. An object that is whole already stays. */
  void abort(String key, String uploadId);

  /** Throws away all that was begun, or last added to, longer ago than this; says how many. */
  int abandon(Duration age);
}
