package dev.millrace.service.files;

import dev.millrace.postgres.files.Texts;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStat;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import dev.millrace.storage.ObjectWriter;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.StoredObject;
import dev.millrace.storage.url.UrlSigner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps small texts in the database, and everything else in the store behind it. The key says which
 * it is. This server serves the texts itself, whatever the store behind does.
 */
public final class TextObjectStore implements ObjectStore {

  private final ObjectStore rest;
  private final Texts texts;
  private final UrlSigner signer;
  private final InstantSource clock;

  /**
   * Makes one store of two.
   *
   * @param rest closed with this one; the texts are not
   */
  public TextObjectStore(ObjectStore rest, Texts texts, UrlSigner signer, InstantSource clock) {
    this.rest = rest;
    this.texts = texts;
    this.signer = signer;
    this.clock = clock;
  }

  /** A database that is away is a store that is away. */
  private static <T> T asking(String doing, String key, Supplier<T> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      throw new ObjectStoreException("could not " + doing + " " + key + ": " + e, e);
    }
  }

  @Override
  public StoredObject put(String key, String mediaType, ObjectWriter writer, long maxBytes)
      throws IOException {
    if (ObjectKeys.isText(key)) {
      throw new IllegalArgumentException("a text is written with the report that brings it");
    }
    return rest.put(key, mediaType, writer, maxBytes);
  }

  private Optional<byte[]> text(String key) {
    return asking("open", key, () -> texts.find(key));
  }

  @Override
  public Optional<ObjectStream> open(String key, long offset, long length) {
    if (!ObjectKeys.isText(key)) {
      return rest.open(key, offset, length);
    }
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException("a part starts and ends within its object");
    }
    return text(key)
        .map(bytes -> {
          int first = (int) Math.min(offset, bytes.length);
          int count = (int) Math.min(length, bytes.length - first);
          return new ObjectStream(
              new ByteArrayInputStream(bytes, first, count), bytes.length, first, count);
        });
  }

  @Override
  public OptionalLong size(String key) {
    if (!ObjectKeys.isText(key)) {
      return rest.size(key);
    }
    return text(key).map(bytes -> OptionalLong.of(bytes.length)).orElse(OptionalLong.empty());
  }

  @Override
  public Optional<ObjectStat> stat(String key) {
    return ObjectKeys.isText(key) ? text(key).map(ObjectStat::of) : rest.stat(key);
  }

  /** A text is small, so that one look tells everything. */
  @Override
  public ObjectCheck verify(String key, long size, String sha256) {
    return ObjectKeys.isText(key)
        ? stat(key).map(stat -> ObjectCheck.of(stat, size, sha256)).orElse(ObjectCheck.MISSING)
        : rest.verify(key, size, sha256);
  }

  @Override
  public boolean delete(String key) {
    return ObjectKeys.isText(key)
        ? asking("delete", key, () -> texts.delete(key))
        : rest.delete(key);
  }

  @Override
  public List<String> list(String prefix, int limit) {
    List<String> others = rest.list(prefix, limit);
    List<String> ours = asking("list", prefix, () -> texts.list(prefix, limit));
    return Stream.concat(others.stream(), ours.stream()).sorted().limit(limit).toList();
  }

  @Override
  public int deletePrefix(String prefix) {
    int others = rest.deletePrefix(prefix);
    return others + asking("delete", prefix, () -> texts.deleteUnder(prefix));
  }

  @Override
  public SignedUrl signedGet(
      String key, String mediaType, @Nullable String filename, Duration ttl) {
    return ObjectKeys.isText(key)
        ? signer.get(key, mediaType, filename, SignedUrl.expiry(clock.instant(), ttl))
        : rest.signedGet(key, mediaType, filename, ttl);
  }

  /** Nobody uploads a text: it comes with the report that delivers it. */
  @Override
  public SignedUrl signedPut(
      String key, String mediaType, long size, @Nullable String sha256, Duration ttl) {
    return rest.signedPut(key, mediaType, size, sha256, ttl);
  }

  @Override
  public PartedUploads parts() {
    return rest.parts();
  }

  @Override
  public void check() {
    rest.check();
  }

  @Override
  public Duration clockSkew() {
    return rest.clockSkew();
  }

  @Override
  public String inWords() {
    return rest.inWords();
  }

  @Override
  public void close() {
    rest.close();
  }
}
