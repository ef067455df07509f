package dev.millrace.server;

import dev.millrace.server.settings.Settings;
import dev.millrace.storage.ClockSkew;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.s3.S3Clients;
import dev.millrace.storage.s3.S3ObjectStore;
import dev.millrace.storage.s3.S3Place;
import dev.millrace.storage.url.UrlSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** Opens the store that the settings ask for. */
public final class ObjectStores {

  private static final Logger LOG = LoggerFactory.getLogger(ObjectStores.class);

  private ObjectStores() {}

  /**
   * Opens the store and looks whether it can be used.
   *
   * @param folder for a store on local disk
   * @throws ObjectStoreException with a sentence for the operator if it can't
   */
  public static ObjectStore open(Settings.Files settings, Path folder, UrlSigner signer) {
    Settings.S3 s3 = settings.s3();
    ObjectStore store =
        s3 == null
            ? new LocalObjectStore(folder, signer, InstantSource.system())
            : new S3ObjectStore(place(s3), credentials(s3));
    try {
      store.check();
      Duration skew = store.clockSkew();
      if (skew.abs().compareTo(ClockSkew.MOST) > 0) {
        LOG.warn(
            "The clock of {} differs from ours by {} s. Signed URLs may be refused: set the clock"
                + " of this machine",
            store.inWords(),
            skew.toSeconds());
      }
      return store;
    } catch (ObjectStoreException e) {
      store.close();
      throw new ObjectStoreException("Files can't be kept: " + e.getMessage(), e);
    }
  }

  private static S3Place place(Settings.S3 s3) {
    return new S3Place(
        s3.endpoint(), s3.publicEndpoint(), s3.region(), s3.bucket(), s3.prefix(), s3.pathStyle());
  }

  private static AwsCredentialsProvider credentials(Settings.S3 s3) {
    Settings.S3Key key = s3.key();
    return key == null
        ? S3Clients.credentialsOfTheMachine()
        : S3Clients.credentials(key.id().reveal(), key.secret().reveal());
  }
}
