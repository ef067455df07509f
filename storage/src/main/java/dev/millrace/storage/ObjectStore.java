package dev.millrace.storage;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects under keys that {@link ObjectKeys} made. Safe for many threads and, for one backing
 * store, many processes.
 *
 * <p>Every method throws {@link IllegalArgumentException} for a key that is not well formed, and
 * {@link ObjectStoreException} when the store itself fails.
 */
public interface ObjectStore extends AutoCloseable {

  /** As long as any store signs for: S3 has the same limit. */
  Duration LONGEST_TTL = Duration.ofDays(7);

  /**
   * Stores what the writer writes. The object becomes visible whole, after it is durable; if the
   * writer throws, its exception passes through unchanged and nothing becomes visible.
   *
   * @throws ObjectStoreException.TooLarge as soon as more than {@code maxBytes} are written
   * @throws ObjectStoreException.AlreadyExists if the key is taken; the object there is left alone
   * @throws IOException only from the writer
   */
  StoredObject put(String key, String mediaType, ObjectWriter writer, long maxBytes)
      throws IOException;

  /** Stores a stream to its end, and does not close it. */
  default StoredObject put(String key, String mediaType, InputStream source, long maxBytes)
      throws IOException {
    return put(key, mediaType, (ObjectWriter) source::transferTo, maxBytes);
  }

  /** Opens the whole object; empty if there is none. */
  default Optional<ObjectStream> open(String key) {
    return open(key, 0, Long.MAX_VALUE);
  }

  /**
   * Opens a part of an object; empty if there is none. A part that reaches past the end is cut
   * there, and one that starts past it is empty.
   */
  Optional<ObjectStream> open(String key, long offset, long length);

  /** How large the object is; cheap, unlike {@link #stat}. */
  OptionalLong size(String key);

  /**
   * What the store really holds. The checksum is that of the bytes as they are now, so this may
   * read the whole object.
   */
  default Optional<ObjectStat> stat(String key) {
    Optional<ObjectStream> opened = open(key);
    if (opened.isEmpty()) {
      return Optional.empty();
    }
    try (ObjectStream object = opened.get()) {
      return Optional.of(ObjectStat.of(object.stream()));
    } catch (IOException e) {
      throw ObjectStoreException.of("read " + key, e);
    }
  }

  /** Whether the object is still what was stored. */
  default ObjectCheck verify(String key, long size, String sha256) {
    OptionalLong found = size(key);
    if (found.isEmpty()) {
      return ObjectCheck.MISSING;
    }
    if (found.getAsLong() != size) {
      return ObjectCheck.WRONG_SIZE;
    }
    return stat(key).map(stat -> ObjectCheck.of(stat, size, sha256)).orElse(ObjectCheck.MISSING);
  }

  /** Deletes an object; says whether there was one. */
  boolean delete(String key);

  /**
   * The keys under a tenant's, a job's or an attempt's prefix in ascending order, at most {@code
   * limit}.
   */
  List<String> list(String prefix, int limit);

  /**
   * Deletes everything under a tenant's, a job's or an attempt's prefix, also what comes in parts
   * and isn't finished; says how many objects there were.
   */
  int deletePrefix(String prefix);

  /**
   * A URL that lets its holder read the object until it expires.
   *
   * @param filename what a browser should call the download, already sanitised
   */
  SignedUrl signedGet(String key, String mediaType, @Nullable String filename, Duration ttl);

  /**
   * A URL that lets its holder store exactly {@code size} bytes of this type, once, until it
   * expires.
   *
   * @param sha256 in lower-case hexadecimal: nothing else is taken then; null if it isn't known
   */
  SignedUrl signedPut(
      String key, String mediaType, long size, @Nullable String sha256, Duration ttl);

  /** The way for objects that come in parts. */
  PartedUploads parts();

  /**
   * Looks whether the store can be used at all.
   *
   * @throws ObjectStoreException with a sentence for the operator if it can't
   */
  void check();

  /**
   * How far the store's clock is ahead of ours, as of its last answer; negative if it is behind.
   */
  default Duration clockSkew() {
    return Duration.ZERO;
  }

  /** Where objects are kept, in words for the operator. */
  String inWords();

  @Override
  default void close() {}
}
