package dev.millrace.storage.s3;

import dev.millrace.storage.ClockSkew;
import dev.millrace.storage.MeasuredOutput;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import dev.millrace.storage.ObjectWriter;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Objects in an S3-compatible store; a key is the object's name below a prefix. The store itself
 * serves them, through URLs that are signed here and lead to it.
 *
 * <p>Every write, ours and a stranger's by a signed URL, carries {@code If-None-Match: *}, so that
 * an object never changes once it is visible. What a single request can't carry goes up in parts.
 */
public final class S3ObjectStore implements ObjectStore {

  /** S3 takes parts from 5 MiB on; each writer holds one in memory. */
  static final int PART_BYTES = 8 << 20;

  /** S3 takes 10,000 parts; fewer leave room. */
  private static final int MOST_PARTS = 9_000;

  private static final int LIST_PAGE = 1_000;
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes [0-9]+-[0-9]+/([0-9]+)");

  private final S3Place place;
  private final S3Client client;
  private final S3Urls urls;
  private final S3Parts parts;
  private final ClockSkew skew;

  public S3ObjectStore(S3Place place, AwsCredentialsProvider credentials) {
    this(place, credentials, InstantSource.system());
  }

  S3ObjectStore(S3Place place, AwsCredentialsProvider credentials, InstantSource clock) {
    this.place = place;
    this.skew = new ClockSkew(clock);
    this.client = S3Clients.client(place, credentials, skew);
    this.urls = new S3Urls(place, S3Clients.presigner(place, credentials));
    this.parts = new S3Parts(place, client, urls, this);
  }

  @Override
  public PartedUploads parts() {
    return parts;
  }

  @Override
  public StoredObject put(String key, String mediaType, ObjectWriter writer, long maxBytes)
      throws IOException {
    if (size(key).isPresent()) {
      // Saves the upload; whoever comes between is turned away at its end.
      throw new ObjectStoreException.AlreadyExists(key);
    }
    int partBytes = (int) Math.max(PART_BYTES, Math.min(1 << 30, maxBytes / MOST_PARTS + 1));
    S3Upload upload = new S3Upload(client, place.bucket(), place.name(key), mediaType, partBytes);
    try {
      MeasuredOutput out = new MeasuredOutput(key, upload, maxBytes);
      writer.writeTo(out);
      StoredObject stored = out.finish(mediaType);
      upload.finish(stored.sha256());
      return stored;
    } catch (S3Upload.Taken e) {
      throw new ObjectStoreException.AlreadyExists(key);
    } finally {
      upload.abandon();
    }
  }

  @Override
  public Optional<ObjectStream> open(String key, long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException("a part starts and ends within its object");
    }
    if (length == 0) {
      return nothingOf(key, offset);
    }
    GetObjectRequest.Builder request =
        GetObjectRequest.builder().bucket(place.bucket()).key(name(key));
    if (offset > 0 || length < Long.MAX_VALUE) {
      boolean toTheEnd = length > Long.MAX_VALUE - offset;
      request.range("bytes=" + offset + "-" + (toTheEnd ? "" : offset + length - 1));
    }
    try {
      ResponseInputStream<GetObjectResponse> opened = client.getObject(request.build());
      long count = opened.response().contentLength();
      long size = sizeOf(opened.response()).orElse(count);
      return Optional.of(new ObjectStream(opened, size, Math.min(offset, size), count));
    } catch (S3Exception e) {
      return switch (e.statusCode()) {
        case 404 -> Optional.empty();
        case 416 -> nothingOf(key, offset);
        default -> throw S3Troubles.of("open " + key, e);
      };
    } catch (SdkException e) {
      throw S3Troubles.of("open " + key, e);
    }
  }

  /** S3 has no empty ranges. */
  private Optional<ObjectStream> nothingOf(String key, long offset) {
    OptionalLong size = size(key);
    return size.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ObjectStream(
                InputStream.nullInputStream(),
                size.getAsLong(),
                Math.min(offset, size.getAsLong()),
                0));
  }

  private static OptionalLong sizeOf(GetObjectResponse response) {
    String range = response.contentRange();
    Matcher found = CONTENT_RANGE.matcher(range == null ? "" : range);
    return found.matches() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
  }

  @Override
  public OptionalLong size(String key) {
    return head(key)
        .map(head -> OptionalLong.of(head.contentLength()))
        .orElse(OptionalLong.empty());
  }

  private Optional<HeadObjectResponse> head(String key) {
    String name = name(key);
    try {
      return Optional.of(
          client.headObject(request ->
              request.bucket(place.bucket()).key(name).checksumMode(ChecksumMode.ENABLED)));
    } catch (S3Exception e) {
      if (e.statusCode() == 404) {
        return Optional.empty();
      }
      throw S3Troubles.of("look at " + key, e);
    } catch (SdkException e) {
      throw S3Troubles.of("look at " + key, e);
    }
  }

  /**
   * A store that keeps the checksum of the whole object has computed it itself when the object came
   * in, so there is no need to fetch the bytes again. What went up in parts, or to a store without
   * checksums, is read.
   */
  @Override
  public ObjectCheck verify(String key, long size, String sha256) {
    Optional<HeadObjectResponse> head = head(key);
    if (head.isEmpty()) {
      return ObjectCheck.MISSING;
    }
    if (head.get().contentLength() != size) {
      return ObjectCheck.WRONG_SIZE;
    }
    String kept = head.get().checksumSHA256();
    if (kept != null && kept.indexOf('-') < 0) {
      return kept.equals(base64(sha256)) ? ObjectCheck.INTACT : ObjectCheck.WRONG_CHECKSUM;
    }
    return stat(key).map(stat -> ObjectCheck.of(stat, size, sha256)).orElse(ObjectCheck.MISSING);
  }

  static String base64(String hex) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
  }

  @Override
  public boolean delete(String key) {
    boolean there = size(key).isPresent();
    if (there) {
      remove(key);
    }
    return there;
  }

  private void remove(String key) {
    try {
      client.deleteObject(request -> request.bucket(place.bucket()).key(place.name(key)));
    } catch (SdkException e) {
      throw S3Troubles.of("delete " + key, e);
    }
  }

  @Override
  public List<String> list(String prefix, int limit) {
    ObjectKeys.requirePrefix(prefix);
    List<String> keys = new ArrayList<>();
    @Nullable String next = null;
    do {
      ListObjectsV2Response page = page(prefix, next, Math.min(limit - keys.size(), LIST_PAGE));
      page.contents().stream()
          .map(object -> object.key().substring(place.prefix().length()))
          .filter(ObjectKeys::isKey)
          .forEach(keys::add);
      next = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
    } while (next != null && keys.size() < limit);
    return List.copyOf(keys);
  }

  private ListObjectsV2Response page(String prefix, @Nullable String token, int most) {
    try {
      return client.listObjectsV2(request ->
          request
              .bucket(place.bucket())
              .prefix(place.name(prefix))
              .maxKeys(most)
              .continuationToken(token));
    } catch (SdkException e) {
      throw S3Troubles.of("list " + prefix, e);
    }
  }

  /** One by one: not every compatible store has the request that deletes many. */
  @Override
  public int deletePrefix(String prefix) {
    ObjectKeys.requirePrefix(prefix);
    parts.abandonUnder(prefix);
    int deleted = 0;
    List<String> found;
    do {
      found = list(prefix, LIST_PAGE);
      found.forEach(this::remove);
      deleted += found.size();
    } while (found.size() == LIST_PAGE);
    return deleted;
  }

  @Override
  public SignedUrl signedGet(
      String key, String mediaType, @Nullable String filename, Duration ttl) {
    return urls.get(name(key), mediaType, filename, bounded(ttl));
  }

  @Override
  public SignedUrl signedPut(
      String key, String mediaType, long size, @Nullable String sha256, Duration ttl) {
    return urls.put(name(key), mediaType, size, sha256, bounded(ttl));
  }

  /** Whole seconds, rounded up, so that no URL ends before it was promised to. */
  static Duration bounded(Duration ttl) {
    if (!ttl.isPositive() || ttl.compareTo(LONGEST_TTL) > 0) {
      throw new IllegalArgumentException("a signed URL lives up to 7 days, not " + ttl);
    }
    return Duration.ofSeconds(ttl.plusNanos(999_999_999).toSeconds());
  }

  @Override
  public void check() {
    try {
      client.headBucket(request -> request.bucket(place.bucket()));
    } catch (SdkException e) {
      throw S3Troubles.ofCheck(place, e);
    }
  }

  @Override
  public Duration clockSkew() {
    return skew.ahead();
  }

  @Override
  public String inWords() {
    return place.inWords();
  }

  private String name(String key) {
    return place.name(ObjectKeys.require(key));
  }

  @Override
  public void close() {
    urls.close();
    client.close();
  }
}
