package dev.millrace.storage.s3;

import dev.millrace.storage.ObjectStoreException;
import java.util.Objects;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Says what went wrong with an S3-compatible store in words for its operator. */
final class S3Troubles {

  private S3Troubles() {}

  static ObjectStoreException of(String doing, SdkException cause) {
    return new ObjectStoreException("could not " + doing + ": " + why(cause), cause);
  }

  /** What is wrong when not even the bucket can be looked at. */
  static ObjectStoreException ofCheck(S3Place place, SdkException cause) {
    int status = cause instanceof S3Exception answer ? answer.statusCode() : 0;
    String sentence =
        switch (status) {
          case 0 -> " can't be reached: " + why(cause);
          case 301, 307, 400 ->
              " is not there; is it in another region than " + place.region() + "?";
          case 401, 403 -> " can't be used with these credentials: access was refused";
          case 404 -> " does not exist";
          default -> " answers with an error: " + why(cause);
        };
    return new ObjectStoreException(place.inWords() + sentence, cause);
  }

  /** The root of it; the SDK wraps what happened in several layers of its own words. */
  private static String why(SdkException cause) {
    if (cause.getCause() == null) {
      return Objects.requireNonNullElse(cause.getMessage(), "no reason was given");
    }
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString();
  }
}
