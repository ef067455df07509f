package dev.millrace.server.files;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.records.UploadView;
import dev.millrace.postgres.records.Uploads;
import dev.millrace.server.objects.DownloadNames;
import dev.millrace.server.objects.MediaType;
import dev.millrace.server.objects.ObjectKeys;
import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.Previews;
import dev.millrace.server.objects.SignedUrl;
import dev.millrace.server.objects.Verification;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the files that users bring. First the wish, answered with a URL that takes exactly that
 * many bytes of that type, once; then the confirmation, for which the store's own bytes are looked
 * at. Until then no job can use the file, and nobody sees it.
 */
public final class FileUploads {

  /** So many files a user may be bringing at the same time. */
  static final int MOST_PENDING = 1_000;

  private final Uploads uploads;
  private final ObjectStore store;
  private final Previews previews;
  private final Duration ttl;

  /**
   * Makes the way in.
   *
   * @param ttl how long the URL for a file works
   */
  public FileUploads(Uploads uploads, ObjectStore store, Previews previews, Duration ttl) {
    this.uploads = uploads;
    this.store = store;
    this.previews = previews;
    this.ttl = ttl;
  }

  /**
   * What somebody wants to bring.
   *
   * @param sha256 if it is known already: the URL then takes nothing else
   */
  public record Wish(
      int tenant,
      String tenantSlug,
      String user,
      String name,
      MediaType type,
      long size,
      @Nullable String sha256) {}

  /** A place to bring a file to. */
  public record Opened(UploadView file, SignedUrl url) {}

  /** What comes of a confirmation. */
  public enum Confirmed {
    /** The file is its user's, and can be used. */
    READY,
    /** There is no such file, or nobody waits for it any more. */
    UNKNOWN,
    /** Nothing was brought yet. */
    NOT_THERE,
    WRONG_SIZE,
    WRONG_CHECKSUM,
    /** It doesn't begin like a file of the type that was announced. */
    WRONG_TYPE
  }

  /** Opens a place for a file; empty if the user has too many of them. */
  public Optional<Opened> open(Wish wish) {
    UUID id = UuidCreator.getTimeOrderedEpoch();
    String key = ObjectKeys.upload(wish.tenantSlug(), id, wish.type());
    String type = wish.type().essence();
    Uploads.Wish row =
        new Uploads.Wish(
            wish.tenant(),
            wish.user(),
            id,
            key,
            DownloadNames.clean(wish.name(), wish.type()),
            type,
            wish.size(),
            wish.sha256());
    return uploads
        .open(row, ttl, MOST_PENDING)
        .map(file -> new Opened(file, store.signedPut(key, type, wish.size(), wish.sha256(), ttl)));
  }

  /**
   * Looks at what was brought. The same confirmation may come twice, and is answered the same.
   *
   * @param user only a file of this user, or null for anybody's
   */
  public Confirmed confirm(int tenant, @Nullable String user, UUID id, long size, String sha256) {
    Optional<UploadView> found = uploads.find(tenant, user, id);
    if (found.isEmpty()) {
      return Confirmed.UNKNOWN;
    }
    UploadView file = found.get();
    if (size != file.size()) {
      return Confirmed.WRONG_SIZE;
    }
    if (file.sha256() != null && !file.sha256().equals(sha256)) {
      return Confirmed.WRONG_CHECKSUM;
    }
    return file.state().equals("ready") ? Confirmed.READY : confirm(tenant, file, sha256);
  }

  private Confirmed confirm(int tenant, UploadView file, String sha256) {
    Verification verification = store.verify(file.key(), file.size(), sha256);
    MediaType type = MediaType.of(file.mediaType()).orElse(MediaType.BINARY);
    return switch (verification) {
      case MISSING -> Confirmed.NOT_THERE;
      case WRONG_SIZE -> Confirmed.WRONG_SIZE;
      case WRONG_CHECKSUM -> Confirmed.WRONG_CHECKSUM;
      case INTACT ->
          Heads.fit(store, file.key(), type)
              ? keep(tenant, file, type, sha256)
              : Confirmed.WRONG_TYPE;
    };
  }

  private Confirmed keep(int tenant, UploadView file, MediaType type, String sha256) {
    Previews.Preview preview = previews.of(file.key(), type);
    Uploads.Found found =
        new Uploads.Found(sha256, preview.width(), preview.height(), preview.thumbnailKey());
    if (uploads.confirm(tenant, file.id(), found)) {
      return Confirmed.READY;
    }
    // Somebody else confirmed it at the same time, or it was deleted.
    return uploads
        .find(tenant, null, file.id())
        .filter(now -> now.state().equals("ready"))
        .map(_ -> Confirmed.READY)
        .orElse(Confirmed.UNKNOWN);
  }
}
