package dev.millrace.storage.url;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Takes in what a signed URL grants: so many bytes, with the agreed checksum, and only once. */
public final class UploadRequests {

  private static final int BUFFER_BYTES = 64 * 1024;

  private final ObjectStore store;

  public UploadRequests(ObjectStore store) {
    this.store = store;
  }

  /** What comes of a granted upload. */
  public enum Result {
    STORED,
    /** Something was stored by this URL before, and stays. */
    TAKEN,
    WRONG_SIZE,
    WRONG_CHECKSUM
  }

  /** Reads the body to its end, or one byte past what was agreed. */
  public Result take(UrlVerdict.Granted grant, InputStream body) throws IOException {
    if (!grant.method().equals("PUT")) {
      throw new IllegalArgumentException("a grant to " + grant.method() + " is none to write");
    }
    try {
      store.put(grant.key(), grant.mediaType(), out -> copy(grant, body, out), grant.size());
      return Result.STORED;
    } catch (ObjectStoreException.AlreadyExists _) {
      return Result.TAKEN;
    } catch (ObjectStoreException.TooLarge _) {
      return Result.WRONG_SIZE;
    } catch (NotAgreed e) {
      return e.result;
    }
  }

  private static void copy(UrlVerdict.Granted grant, InputStream body, OutputStream out)
      throws IOException {
    MessageDigest digest = Sha256.start();
    byte[] buffer = new byte[BUFFER_BYTES];
    long size = 0;
    for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
      out.write(buffer, 0, read);
      digest.update(buffer, 0, read);
      size += read;
    }
    if (size != grant.size()) {
      throw new NotAgreed(Result.WRONG_SIZE);
    }
    @Nullable String sha256 = grant.sha256();
    if (sha256 != null && !sha256.equals(Sha256.hex(digest))) {
      throw new NotAgreed(Result.WRONG_CHECKSUM);
    }
  }

  /** Leaves the store's write, which then keeps nothing. */
  private static final class NotAgreed extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Result result;

    NotAgreed(Result result) {
      super(null, null, false, false);
      this.result = result;
    }
  }
}
