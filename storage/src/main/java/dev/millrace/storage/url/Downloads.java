package dev.millrace.storage.url;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.storage.Disposition;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Opens what a signed URL grants, described so that a browser can do no harm with it. */
public final class Downloads {

  private final ObjectStore store;

  public Downloads(ObjectStore store) {
    this.store = store;
  }

  /** What a client asked for besides the file itself: headers, each null if there was none. */
  public record Wishes(
      @Nullable String range, @Nullable String ifRange, @Nullable String ifNoneMatch) {

    public static final Wishes NONE = new Wishes(null, null, null);

    /** A part is good only for who has the other parts of the same object. */
    private @Nullable String rangeOf(String tag) {
      return ifRange == null || ifRange.strip().equals(tag) ? range : null;
    }

    private boolean hasAlready(String tag) {
      return ifNoneMatch != null
          && (ifNoneMatch.strip().equals("*")
              || Arrays.stream(ifNoneMatch.split(",", -1))
                  .map(each -> each.strip().replaceFirst("^W/", ""))
                  .anyMatch(tag::equals));
    }
  }

  /** Opens the object, or the part of it that is asked for. */
  public DownloadResult open(UrlVerdict.Granted grant, Wishes wishes) {
    if (!grant.method().equals("GET")) {
      throw new IllegalArgumentException("a grant to " + grant.method() + " is none to read");
    }
    OptionalLong size = store.size(grant.key());
    if (size.isEmpty()) {
      return new DownloadResult.Missing();
    }
    String tag = tag(grant.key());
    if (wishes.hasAlready(tag)) {
      return new DownloadResult.Unchanged(tag);
    }
    return switch (ByteRange.of(wishes.rangeOf(tag), size.getAsLong())) {
      case ByteRange.Whole() -> ready(grant, store.open(grant.key()), false);
      case ByteRange.Part(long offset, long length) ->
          ready(grant, store.open(grant.key(), offset, length), true);
      case ByteRange.Unsatisfiable() -> new DownloadResult.RangeNotSatisfiable(size.getAsLong());
    };
  }

  /** An object never changes, so its key tells it from any other. */
  private static String tag(String key) {
    return "\"" + Sha256.hex(key).substring(0, 32) + "\"";
  }

  public static String contentType(MediaType type) {
    return type.isText() ? type.essence() + "; charset=utf-8" : type.essence();
  }

  private static DownloadResult ready(
      UrlVerdict.Granted grant, Optional<ObjectStream> opened, boolean partial) {
    if (opened.isEmpty()) {
      return new DownloadResult.Missing();
    }
    ObjectStream object = opened.get();
    // A type we don't know can't be judged, so it is saved and not shown.
    MediaType type = MediaType.of(grant.mediaType()).orElse(MediaType.BINARY);
    return new DownloadResult.Ready(
        new Download(
            contentType(type),
            Disposition.of(type.inline(), grant.filename()),
            object.size(),
            object.offset(),
            object.length(),
            partial,
            tag(grant.key()),
            object.stream()));
  }
}
