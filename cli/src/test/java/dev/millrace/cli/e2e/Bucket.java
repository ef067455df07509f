package dev.millrace.cli.e2e;

import dev.millrace.storage.s3.S3Clients;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A bucket in a store that speaks S3 over HTTP and checks every signature. */
final class Bucket implements AutoCloseable {

  private static final String NAME = "mill-files";
  private static final String KEY_ID = "mill";
  private static final String SECRET = "mill-secret-mill-secret-mill-secret";
  private static final String REGION = "us-east-1";

  private final S3Proxy proxy;
  private final S3Client client;

  private Bucket(S3Proxy proxy) {
    this.proxy = proxy;
    this.client =
        S3Client.builder()
            .region(Region.of(REGION))
            .credentialsProvider(S3Clients.credentials(KEY_ID, SECRET))
            .endpointOverride(endpoint())
            .forcePathStyle(true)
            .build();
  }

  static Bucket open() throws Exception {
    S3Proxy proxy =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, KEY_ID, SECRET)
            .blobStore(BlobStores.create("transient-nio2", new Properties()))
            .build();
    proxy.start();
    Bucket bucket = new Bucket(proxy);
    bucket.client.createBucket(request -> request.bucket(NAME));
    return bucket;
  }

  private URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  /** Tells an installation to keep its files here. */
  void serve(Installation installation) {
    installation
        .set("S3_BUCKET", NAME)
        .set("S3_ENDPOINT", endpoint().toString())
        .set("S3_REGION", REGION)
        .set("S3_PATH_STYLE", "true")
        .set("S3_ACCESS_KEY_ID", KEY_ID)
        .set("S3_SECRET_ACCESS_KEY", SECRET);
  }

  /** The names of everything that is here. */
  List<String> keys() {
    return client.listObjectsV2Paginator(request -> request.bucket(NAME)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  @Override
  public void close() {
    client.close();
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the store could not be stopped", e);
    }
  }
}
