package dev.millrace.storage.s3;

import dev.millrace.storage.Disposition;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.PartAddress;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.url.Downloads;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.presigner.PresignedRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** URLs that lead to the store itself. What a request may decide is bound into the signature. */
final class S3Urls implements AutoCloseable {

  private final S3Place place;
  private final S3Presigner presigner;

  S3Urls(S3Place place, S3Presigner presigner) {
    this.place = place;
    this.presigner = presigner;
  }

  /** The store answers with the same type and disposition as we would. */
  SignedUrl get(String name, String mediaType, @Nullable String filename, Duration ttl) {
    MediaType type = MediaType.of(mediaType).orElse(MediaType.BINARY);
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(place.bucket())
            .key(name)
            .responseContentType(Downloads.contentType(type))
            .responseContentDisposition(Disposition.of(type.inline(), filename))
            .responseCacheControl("private, max-age=300")
            .build();
    return url(
        "GET",
        presigner.presignGetObject(
            presign -> presign.signatureDuration(ttl).getObjectRequest(request)));
  }

  SignedUrl put(String name, String mediaType, long size, @Nullable String sha256, Duration ttl) {
    if (size < 0) {
      throw new IllegalArgumentException("nothing has " + size + " bytes");
    }
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(place.bucket())
            .key(name)
            .contentType(mediaType)
            .contentLength(size)
            .ifNoneMatch("*");
    if (sha256 != null) {
      request.checksumSHA256(S3ObjectStore.base64(sha256));
    }
    return url(
        "PUT",
        presigner.presignPutObject(
            presign -> presign.signatureDuration(ttl).putObjectRequest(request.build())));
  }

  SignedUrl part(String name, PartAddress part, long size, Duration ttl) {
    UploadPartRequest request =
        UploadPartRequest.builder()
            .bucket(place.bucket())
            .key(name)
            .uploadId(part.uploadId())
            .partNumber(part.number())
            .contentLength(size)
            .build();
    return url(
        "PUT",
        presigner.presignUploadPart(
            presign -> presign.signatureDuration(ttl).uploadPartRequest(request)));
  }

  /** Every signed header but the host, which a client can't help sending. */
  private static SignedUrl url(String method, PresignedRequest signed) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> header : signed.signedHeaders().entrySet()) {
      if (!header.getKey().equalsIgnoreCase("host")) {
        headers.put(header.getKey(), String.join(",", header.getValue()));
      }
    }
    try {
      URI uri = signed.url().toURI();
      return new SignedUrl(uri, method, headers, signed.expiration());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the SDK signs well-formed URLs", e);
    }
  }

  @Override
  public void close() {
    presigner.close();
  }
}
