package dev.millrace.storage.s3;

import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.PartAddress;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Multipart uploads of an S3-compatible store. Parts go to the store itself, past this server. */
final class S3Parts implements PartedUploads {

  private static final Logger LOG = LoggerFactory.getLogger(S3Parts.class);

  /** What the store says of parts that aren't there, aren't the named ones, or are too small. */
  private static final Set<String> PARTS_DIFFER =
      Set.of("InvalidPart", "InvalidPartOrder", "EntityTooSmall", "MalformedXML");

  private static final int MOST_PAGES = 1_000;

  private final S3Place place;
  private final S3Client client;
  private final S3Urls urls;
  private final S3ObjectStore store;

  S3Parts(S3Place place, S3Client client, S3Urls urls, S3ObjectStore store) {
    this.place = place;
    this.client = client;
    this.urls = urls;
    this.store = store;
  }

  @Override
  public String begin(String key, String mediaType) {
    String name = name(key);
    try {
      return client
          .createMultipartUpload(
              request -> request.bucket(place.bucket()).key(name).contentType(mediaType))
          .uploadId();
    } catch (SdkException e) {
      throw S3Troubles.of("begin " + key, e);
    }
  }

  @Override
  public SignedUrl signedPut(PartAddress part, long size, Duration ttl) {
    return urls.part(name(part.key()), part, size, S3ObjectStore.bounded(ttl));
  }

  @Override
  public Optional<String> put(PartAddress part, InputStream body, long size) {
    throw new IllegalStateException("parts go to the S3 store itself");
  }

  @Override
  public Finish finish(String key, String uploadId, List<String> tags) {
    String name = name(key);
    if (store.size(key).isPresent()) {
      return Finish.DONE;
    }
    List<CompletedPart> parts = new ArrayList<>();
    for (String tag : tags) {
      parts.add(
          CompletedPart.builder()
              .partNumber(parts.size() + 1)
              .eTag("\"" + tag.replace("\"", "") + "\"")
              .build());
    }
    try {
      client.completeMultipartUpload(request ->
          request
              .bucket(place.bucket())
              .key(name)
              .uploadId(uploadId)
              .ifNoneMatch("*")
              .multipartUpload(all -> all.parts(parts)));
      return Finish.DONE;
    } catch (S3Exception e) {
      return refused(key, e);
    } catch (SdkException e) {
      throw S3Troubles.of("put together " + key, e);
    }
  }

  /**
   * Whoever comes second, while another puts the same parts together, is refused in words that
   * differ from store to store: no such upload, a conflict, parts that are gone, a bad request. If
   * the object is there, all of them mean that it is done.
   */
  private Finish refused(String key, S3Exception answer) {
    if (store.size(key).isPresent()) {
      return Finish.DONE;
    }
    if (answer.statusCode() == 404) {
      return Finish.UNKNOWN;
    }
    String code = answer.awsErrorDetails() == null ? "" : answer.awsErrorDetails().errorCode();
    if (answer.statusCode() == 400 && PARTS_DIFFER.contains(code)) {
      return Finish.PARTS_DIFFER;
    }
    throw S3Troubles.of("put together " + key, answer);
  }

  @Override
  public void abort(String key, String uploadId) {
    abortNamed(name(key), uploadId);
  }

  private void abortNamed(String name, String uploadId) {
    try {
      client.abortMultipartUpload(
          request -> request.bucket(place.bucket()).key(name).uploadId(uploadId));
    } catch (S3Exception e) {
      if (e.statusCode() != 404) {
        throw S3Troubles.of("give up " + name, e);
      }
    } catch (SdkException e) {
      throw S3Troubles.of("give up " + name, e);
    }
  }

  @Override
  public int abandon(Duration age) {
    Instant before = Instant.now().minus(age);
    int aborted = 0;
    for (MultipartUpload upload : unfinished(place.prefix())) {
      if (upload.initiated() != null && upload.initiated().isBefore(before)) {
        abortNamed(upload.key(), upload.uploadId());
        aborted++;
      }
    }
    return aborted;
  }

  /**
   * Throws away all uploads below a job's or an attempt's prefix. Not every compatible store lists
   * them, and none needs to: what stays is abandoned later, by us or by the bucket's own rule.
   */
  void abandonUnder(String prefix) {
    try {
      unfinished(place.name(prefix)).forEach(upload -> abortNamed(upload.key(), upload.uploadId()));
    } catch (ObjectStoreException e) {
      LOG.debug("Unfinished uploads below {} were not looked for", prefix, e);
    }
  }

  private List<MultipartUpload> unfinished(String prefix) {
    List<MultipartUpload> found = new ArrayList<>();
    @Nullable String key = null;
    @Nullable String id = null;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      ListMultipartUploadsResponse page = page(prefix, key, id);
      page.uploads().stream().filter(this::isOurs).forEach(found::add);
      if (!Boolean.TRUE.equals(page.isTruncated())) {
        break;
      }
      key = page.nextKeyMarker();
      id = page.nextUploadIdMarker();
    }
    return found;
  }

  private boolean isOurs(MultipartUpload upload) {
    return upload.key().startsWith(place.prefix())
        && ObjectKeys.isKey(upload.key().substring(place.prefix().length()));
  }

  private ListMultipartUploadsResponse page(
      String prefix, @Nullable String key, @Nullable String id) {
    try {
      return client.listMultipartUploads(request ->
          request.bucket(place.bucket()).prefix(prefix).keyMarker(key).uploadIdMarker(id));
    } catch (SdkException e) {
      throw S3Troubles.of("list unfinished uploads", e);
    }
  }

  private String name(String key) {
    return place.name(ObjectKeys.require(key));
  }
}
