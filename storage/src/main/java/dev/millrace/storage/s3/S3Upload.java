package dev.millrace.storage.s3;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.storage.ObjectStoreException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * One object on its way up: in one request if it is small, else in parts, of which one is in memory
 * at a time. It becomes visible with {@link #finish}, whole, and only if the name is still free.
 */
final class S3Upload extends OutputStream {

  private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);
  private static final int FIRST_BUFFER_BYTES = 64 << 10;

  private final S3Client client;
  private final String bucket;
  private final String name;
  private final String mediaType;
  private final int partBytes;
  private final List<CompletedPart> parts = new ArrayList<>();
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int filled;
  private @Nullable String uploadId;
  private @Nullable ObjectStoreException failure;

  /** The name is taken. */
  static final class Taken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Taken(Throwable cause) {
      super(cause);
    }
  }

  S3Upload(S3Client client, String bucket, String name, String mediaType, int partBytes) {
    this.client = client;
    this.bucket = bucket;
    this.name = name;
    this.mediaType = mediaType;
    this.partBytes = partBytes;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (filled == partBytes) {
        // A full part goes up when more comes: what ends here needs no parts.
        sendPart();
      }
      makeRoom(left);
      int count = Math.min(left, buffer.length - filled);
      System.arraycopy(bytes, from, buffer, filled, count);
      filled += count;
      from += count;
      left -= count;
    }
  }

  private void makeRoom(int wanted) {
    if (buffer.length - filled < wanted && buffer.length < partBytes) {
      long doubled = Math.max(2L * buffer.length, (long) filled + wanted);
      buffer = Arrays.copyOf(buffer, (int) Math.min(partBytes, doubled));
    }
  }

  /**
   * Makes the object visible.
   *
   * @throws Taken if another one has the name
   */
  void finish(String sha256) {
    if (failure != null) {
      throw failure;
    }
    if (uploadId == null) {
      sendWhole(sha256);
    } else {
      sendPart();
      complete();
    }
  }

  /** Throws away what went up, unless it was finished. */
  void abandon() {
    String id = uploadId;
    if (id != null) {
      uploadId = null;
      try {
        client.abortMultipartUpload(request -> request.bucket(bucket).key(name).uploadId(id));
      } catch (SdkException e) {
        LOG.warn("Parts of an unfinished object are left in the bucket", e);
      }
    }
  }

  private void sendWhole(String sha256) {
    String checksum = S3ObjectStore.base64(sha256);
    try {
      client.putObject(
          request ->
              request
                  .bucket(bucket)
                  .key(name)
                  .contentType(mediaType)
                  .checksumSHA256(checksum)
                  .ifNoneMatch("*"),
          content());
    } catch (S3Exception e) {
      if (e.statusCode() != 412) {
        throw S3Troubles.of("store " + name, e);
      }
      // The SDK repeats a request whose answer was lost, and then meets its own object.
      if (e.numAttempts() < 2 || !isThere(checksum)) {
        throw new Taken(e);
      }
    } catch (SdkException e) {
      throw S3Troubles.of("store " + name, e);
    }
  }

  private boolean isThere(String checksum) {
    try {
      var head =
          client.headObject(request -> request.bucket(bucket).key(name).checksumMode("ENABLED"));
      return checksum.equals(head.checksumSHA256());
    } catch (SdkException e) {
      throw S3Troubles.of("look at " + name, e);
    }
  }

  private void sendPart() {
    try {
      String id = uploadId == null ? start() : uploadId;
      int number = parts.size() + 1;
      MessageDigest digest = Sha256.start();
      digest.update(buffer, 0, filled);
      String checksum = Base64.getEncoder().encodeToString(digest.digest());
      var sent =
          client.uploadPart(
              request ->
                  request
                      .bucket(bucket)
                      .key(name)
                      .uploadId(id)
                      .partNumber(number)
                      .checksumSHA256(checksum),
              content());
      parts.add(
          CompletedPart.builder()
              .partNumber(number)
              .eTag(sent.eTag())
              .checksumSHA256(checksum)
              .build());
      filled = 0;
    } catch (SdkException e) {
      failure = S3Troubles.of("store " + name, e);
      throw failure;
    }
  }

  private RequestBody content() {
    return RequestBody.fromBytes(filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled));
  }

  private String start() {
    String id =
        client
            .createMultipartUpload(request ->
                request.bucket(bucket).key(name).contentType(mediaType).checksumAlgorithm("SHA256"))
            .uploadId();
    uploadId = id;
    return id;
  }

  private void complete() {
    String id = uploadId;
    try {
      client.completeMultipartUpload(request ->
          request
              .bucket(bucket)
              .key(name)
              .uploadId(id)
              .ifNoneMatch("*")
              .multipartUpload(all -> all.parts(parts)));
      uploadId = null;
    } catch (S3Exception e) {
      if (e.statusCode() == 412) {
        throw new Taken(e);
      }
      throw S3Troubles.of("store " + name, e);
    } catch (SdkException e) {
      throw S3Troubles.of("store " + name, e);
    }
  }
}
