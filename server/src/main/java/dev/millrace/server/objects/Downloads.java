package dev.millrace.server.objects;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Opens what a signed URL grants, described so that a browser can do no harm with it. */
public final class Downloads {

  private final ObjectStore store;

  public Downloads(ObjectStore store) {
    this.store = store;
  }

  /**
   * Opens the object, or the part of it that is asked for.
   *
   * @param range the Range header, if there was one
   */
  public DownloadResult open(UrlVerdict.Granted grant, @Nullable String range) {
    if (!grant.method().equals("GET")) {
      throw new IllegalArgumentException("a grant to " + grant.method() + " is none to read");
    }
    OptionalLong size = store.size(grant.key());
    if (size.isEmpty()) {
      return new DownloadResult.Missing();
    }
    return switch (ByteRange.of(range, size.getAsLong())) {
      case ByteRange.Whole() -> ready(grant, store.open(grant.key()), false);
      case ByteRange.Part(long offset, long length) ->
          ready(grant, store.open(grant.key(), offset, length), true);
      case ByteRange.Unsatisfiable() -> new DownloadResult.RangeNotSatisfiable(size.getAsLong());
    };
  }

  static String contentType(MediaType type) {
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
            object.stream()));
  }
}
