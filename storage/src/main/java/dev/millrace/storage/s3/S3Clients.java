package dev.millrace.storage.s3;

import dev.millrace.storage.ClockSkew;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Makes the clients of the SDK. They are told all they need, so that no setting of the machine they
 * happen to run on changes where the objects are.
 */
public final class S3Clients {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** For one part, or one answer up to its body. */
  private static final Duration ATTEMPT = Duration.ofMinutes(2);

  private S3Clients() {}

  /** Credentials that were given by name. */
  public static AwsCredentialsProvider credentials(String keyId, String secret) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(keyId, secret));
  }

  /** Whatever the machine brings along: its role, or the variables that Amazon's tools read. */
  public static AwsCredentialsProvider credentialsOfTheMachine() {
    return DefaultCredentialsProvider.builder().build();
  }

  static S3Client client(S3Place place, AwsCredentialsProvider credentials, ClockSkew skew) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(place.region()))
            .credentialsProvider(credentials)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(SILENCE))
            .overrideConfiguration(
                config -> config.apiCallAttemptTimeout(ATTEMPT).addExecutionInterceptor(skew))
            // Compatible stores don't all know the newer checksums; ours are set by hand.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(configuration(place));
    if (place.endpoint() != null) {
      builder.endpointOverride(place.endpoint());
    }
    return builder.build();
  }

  static S3Presigner presigner(S3Place place, AwsCredentialsProvider credentials) {
    S3Presigner.Builder builder =
        S3Presigner.builder()
            .region(Region.of(place.region()))
            .credentialsProvider(credentials)
            .serviceConfiguration(configuration(place));
    URI endpoint = place.publicEndpoint() == null ? place.endpoint() : place.publicEndpoint();
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    return builder.build();
  }

  private static S3Configuration configuration(S3Place place) {
    return S3Configuration.builder()
        .pathStyleAccessEnabled(place.pathStyle())
        .chunkedEncodingEnabled(false)
        .build();
  }
}
