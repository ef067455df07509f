package dev.millrace.service.files;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.files.StorageUse;
import dev.millrace.postgres.files.UploadState;
import dev.millrace.postgres.files.UploadView;
import dev.millrace.postgres.files.Uploads;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectWriter;
import dev.millrace.storage.PartPlan;
import dev.millrace.storage.PartUrls;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.output.DownloadNames;
import dev.millrace.storage.picture.PictureBudget;
import dev.millrace.storage.picture.Previews;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the files that users bring. First the wish, answered with a URL that takes exactly that
 * many bytes of that type, once, or with a URL for each part of a large file; then the
 * confirmation, for which the store's own bytes are looked at. Until then no job can use the file,
 * and nobody sees it.
 */
public final class FileUploads {

  /** So many files a user may be bringing at the same time. */
  static final int MOST_PENDING = 1_000;

  private final Uploads uploads;
  private final ObjectStore store;
  private final Previews previews;
  private final StorageQuota quota;
  private final Duration ttl;

  /**
   * Makes the way in.
   *
   * @param ttl how long the URL for a file works
   */
  public FileUploads(
      Uploads uploads, ObjectStore store, Previews previews, StorageQuota quota, Duration ttl) {
    this.uploads = uploads;
    this.store = store;
    this.previews = previews;
    this.quota = quota;
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
      @Nullable String sha256,
      @Nullable String workspace) {}

  /**
   * What became of a wish.
   *
   * @param <P> the place that a good wish is given
   */
  public sealed interface Answer<P> {

    record Given<P>(P place) implements Answer<P> {}

    /** The user has too many of them. */
    record TooMany<P>() implements Answer<P> {}

    /** The user or the tenant may not store so much. Nothing was stored. */
    record NoRoom<P>(StorageUse.Full full) implements Answer<P> {}
  }

  /** A place to bring a file to. */
  public record Opened(UploadView file, SignedUrl url) {}

  /** Places to bring the parts of a file to. */
  public record OpenedParts(UploadView file, PartUrls urls) {}

  /** What comes of a confirmation. */
  public enum Confirmed {
    /** The file is its user's, and can be used. */
    READY,
    /** There is no such file, or nobody waits for it any more. */
    UNKNOWN,
    /** Nothing was brought yet. */
    NOT_THERE,
    /** A part is missing, or is another than was named. It can be put again. */
    PARTS_DIFFER,
    WRONG_SIZE,
    WRONG_CHECKSUM,
    /** It doesn't begin like a file of the type that was announced. */
    WRONG_TYPE
  }

  /** Opens a place for a file. */
  public Answer<Opened> open(Wish wish) {
    UUID id = UuidCreator.getTimeOrderedEpoch();
    String key = ObjectKeys.upload(wish.tenantSlug(), id, wish.type());
    String type = wish.type().essence();
    return answer(
        uploads.open(row(wish, id, key, null), ttl, allowed(wish)),
        file -> new Opened(file, store.signedPut(key, type, wish.size(), wish.sha256(), ttl)));
  }

  private Uploads.Allowed allowed(Wish wish) {
    return new Uploads.Allowed(MOST_PENDING, quota.limits(wish.tenant()));
  }

  private static <P> Answer<P> answer(Uploads.Opening opening, Function<UploadView, P> place) {
    return switch (opening) {
      case Uploads.Opening.Opened(UploadView file) -> new Answer.Given<>(place.apply(file));
      case Uploads.Opening.TooMany() -> new Answer.TooMany<>();
      case Uploads.Opening.NoRoom(StorageUse.Full full) -> new Answer.NoRoom<>(full);
    };
  }

  /** Opens places for the parts of a file. */
  public Answer<OpenedParts> openInParts(Wish wish, PartPlan plan) {
    UUID id = UuidCreator.getTimeOrderedEpoch();
    String key = ObjectKeys.upload(wish.tenantSlug(), id, wish.type());
    String uploadId = store.parts().begin(key, wish.type().essence());
    Uploads.@Nullable Opening opening = null;
    try {
      Uploads.Parts parts = new Uploads.Parts(uploadId, plan.partBytes());
      opening = uploads.open(row(wish, id, key, parts), ttl, allowed(wish));
    } finally {
      if (!(opening instanceof Uploads.Opening.Opened)) {
        store.parts().abort(key, uploadId);
      }
    }
    return answer(
        opening,
        file ->
            new OpenedParts(file, PartUrls.of(store, key, uploadId, plan, plan.numbers(), ttl)));
  }

  private static Uploads.Wish row(Wish wish, UUID id, String key, Uploads.@Nullable Parts parts) {
    return new Uploads.Wish(
        wish.tenant(),
        wish.user(),
        id,
        key,
        new UploadView.Content(
            DownloadNames.clean(wish.name(), wish.type()),
            wish.type().essence(),
            wish.size(),
            wish.sha256()),
        parts,
        wish.workspace());
  }

  /**
   * Fresh URLs for parts, and more time for the file.
   *
   * @param numbers of the wanted parts, none for all; those that the file doesn't have are left out
   * @return empty if nobody waits for the file, or it doesn't come in parts
   */
  public Optional<OpenedParts> renewParts(Visibility whose, UUID id, List<Integer> numbers) {
    return uploads
        .extend(whose, id, ttl, PartedUploads.LONGEST)
        .map(file -> {
          PartPlan plan = plan(file);
          List<Integer> known = numbers.stream().filter(plan::has).toList();
          return new OpenedParts(
              file,
              PartUrls.of(
                  store,
                  file.key(),
                  Objects.requireNonNull(file.parts().uploadId()),
                  plan,
                  known.isEmpty() ? plan.numbers() : known,
                  ttl));
        });
  }

  private static PartPlan plan(UploadView file) {
    return new PartPlan(file.content().size(), Objects.requireNonNull(file.parts().partBytes()));
  }

  /**
   * What became of a file that was brought in one go.
   *
   * @param confirmed ready, or what is wrong with it
   */
  public record Brought(UUID id, Confirmed confirmed) {}

  /**
   * Takes a whole file at once.
   *
   * @param notes what is written on it, a JSON object; null for nothing
   * @throws IOException only from the writer
   */
  public Answer<Brought> bring(Wish wish, @Nullable String notes, ObjectWriter content)
      throws IOException {
    return switch (open(wish)) {
      case Answer.TooMany<Opened>() -> new Answer.TooMany<>();
      case Answer.NoRoom<Opened>(var full) -> new Answer.NoRoom<>(full);
      case Answer.Given<Opened>(Opened opened) -> {
        UUID id = opened.file().id();
        if (notes != null) {
          uploads.annotate(wish.tenant(), id, notes);
        }
        store.put(opened.file().key(), wish.type().essence(), content, wish.size());
        yield new Answer.Given<>(new Brought(id, confirmAsFound(Visibility.of(wish.tenant()), id)));
      }
    };
  }

  /** Looks at what was brought. The same confirmation may come twice, and is answered the same. */
  public Confirmed confirm(Visibility whose, UUID id, long size, String sha256) {
    return confirm(whose, id, size, sha256, List.of());
  }

  /**
   * The same for a file that may come in parts.
   *
   * @param tags that the store gave to the parts, in order; none if the file comes whole
   */
  public Confirmed confirm(Visibility whose, UUID id, long size, String sha256, List<String> tags) {
    Optional<UploadView> found = uploads.find(whose, id);
    if (found.isEmpty()) {
      return Confirmed.UNKNOWN;
    }
    UploadView file = found.get();
    if (size != file.content().size()) {
      return Confirmed.WRONG_SIZE;
    }
    if (file.content().sha256() != null && !file.content().sha256().equals(sha256)) {
      return Confirmed.WRONG_CHECKSUM;
    }
    if (file.state() == UploadState.READY) {
      return Confirmed.READY;
    }
    return switch (putTogether(file, tags)) {
      case DONE -> confirm(whose.tenant(), owner(whose), file, sha256);
      case UNKNOWN -> Confirmed.NOT_THERE;
      case PARTS_DIFFER -> Confirmed.PARTS_DIFFER;
    };
  }

  /** The same for whoever doesn't say what was brought: what lies there counts. */
  public Confirmed confirmAsFound(Visibility whose, UUID id) {
    Optional<UploadView> found = uploads.find(whose, id);
    if (found.isEmpty()) {
      return Confirmed.UNKNOWN;
    }
    if (found.get().state() == UploadState.READY) {
      return Confirmed.READY;
    }
    return store
        .stat(found.get().key())
        .map(stat -> confirm(whose, id, stat.size(), stat.sha256()))
        .orElse(Confirmed.NOT_THERE);
  }

  private PartedUploads.Finish putTogether(UploadView file, List<String> tags) {
    if (file.parts().uploadId() == null) {
      return PartedUploads.Finish.DONE;
    }
    return tags.size() == plan(file).count()
        ? store.parts().finish(file.key(), file.parts().uploadId(), tags)
        : PartedUploads.Finish.PARTS_DIFFER;
  }

  private static String owner(Visibility whose) {
    return "tenant " + whose.tenant() + (whose.user() == null ? "" : " user " + whose.user());
  }

  private Confirmed confirm(int tenant, String owner, UploadView file, String sha256) {
    ObjectCheck verification = store.verify(file.key(), file.content().size(), sha256);
    MediaType type = MediaType.of(file.content().mediaType()).orElse(MediaType.BINARY);
    return switch (verification) {
      case MISSING -> Confirmed.NOT_THERE;
      case WRONG_SIZE -> Confirmed.WRONG_SIZE;
      case WRONG_CHECKSUM -> Confirmed.WRONG_CHECKSUM;
      case INTACT ->
          LeadingBytes.fit(store, file.key(), type)
              ? keep(tenant, owner, file, type, sha256)
              : Confirmed.WRONG_TYPE;
    };
  }

  private Confirmed keep(int tenant, String owner, UploadView file, MediaType type, String sha256) {
    Previews.Preview preview = previews.of(file.key(), type, PictureBudget.perCall(owner));
    Uploads.Found found =
        new Uploads.Found(sha256, preview.width(), preview.height(), preview.thumbnailKey());
    if (uploads.confirm(tenant, file.id(), found)) {
      return Confirmed.READY;
    }
    // Somebody else confirmed it at the same time, or it was deleted.
    return uploads
        .find(Visibility.of(tenant), file.id())
        .filter(now -> now.state() == UploadState.READY)
        .map(_ -> Confirmed.READY)
        .orElse(Confirmed.UNKNOWN);
  }
}
