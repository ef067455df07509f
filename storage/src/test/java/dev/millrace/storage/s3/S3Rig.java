package dev.millrace.storage.s3;

import dev.millrace.storage.ClockSkew;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** A store that speaks S3 over HTTP, checks every signature, and forgets all at its end. */
public final class S3Rig implements AutoCloseable {

  public static final String KEY_ID = "rig-key";
  public static final String SECRET = "rig-secret-rig-secret-rig-secret";
  public static final String BUCKET = "mill-files";
  public static final String REGION = "us-east-1";

  private final S3Proxy proxy;

  private S3Rig(S3Proxy proxy) {
    this.proxy = proxy;
  }

  /** Starts it, with an empty bucket. */
  public static S3Rig start() throws Exception {
    S3Proxy proxy =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, KEY_ID, SECRET)
            .blobStore(BlobStores.create("transient-nio2", new Properties()))
            .build();
    proxy.start();
    S3Rig rig = new S3Rig(proxy);
    try (S3Client client = client(rig.place())) {
      client.createBucket(request -> request.bucket(BUCKET));
    }
    return rig;
  }

  private static S3Client client(S3Place place) {
    return S3Clients.client(
        place, S3Clients.credentials(KEY_ID, SECRET), new ClockSkew(InstantSource.system()));
  }

  /** Starts it for a field, where nothing may be thrown. */
  public static S3Rig open() {
    try {
      return start();
    } catch (Exception e) {
      throw new IllegalStateException("the rig could not be started", e);
    }
  }

  /**
   * What a server must be told to keep its files here.
   *
   * @param prefix of its names; none if it is empty
   */
  public List<String> settings(String prefix) {
    return Stream.of(
            "S3_BUCKET=" + BUCKET,
            "S3_ENDPOINT=" + endpoint(),
            "S3_REGION=" + REGION,
            "S3_PATH_STYLE=true",
            "S3_PREFIX=" + prefix,
            "S3_ACCESS_KEY_ID=" + KEY_ID,
            "S3_SECRET_ACCESS_KEY=" + SECRET)
        .filter(setting -> !setting.endsWith("="))
        .toList();
  }

  /** The names of uploads in parts that were begun and not finished. */
  public List<String> unfinished() {
    try (S3Client client = client(place())) {
      return client.listMultipartUploads(request -> request.bucket(BUCKET)).uploads().stream()
          .map(MultipartUpload::key)
          .toList();
    }
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  S3Place place() {
    return place(BUCKET);
  }

  S3Place place(String bucket) {
    return new S3Place(endpoint(), null, REGION, bucket, "mill/one", true);
  }

  public S3ObjectStore store() {
    return store(InstantSource.system());
  }

  /** The same from a machine with this clock. */
  public S3ObjectStore store(InstantSource clock) {
    return new S3ObjectStore(place(), S3Clients.credentials(KEY_ID, SECRET), clock);
  }

  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the rig could not be stopped", e);
    }
  }
}
