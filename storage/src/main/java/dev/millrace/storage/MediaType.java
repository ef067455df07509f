package dev.millrace.storage;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.millrace.spi.MediaTypes;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The types of file that Millrace stores; nothing else gets a key. Each has its extension, and is
 * shown by a browser in place or only saved.
 */
public enum MediaType {
  PNG("image/png", Show.INLINE),
  JPEG("image/jpeg", Show.INLINE),
  WEBP("image/webp", Show.INLINE),
  GIF("image/gif", Show.INLINE),
  AVIF("image/avif", Show.INLINE),
  SVG("image/svg+xml", Show.ATTACHED),
  MP4("video/mp4", Show.INLINE),
  WEBM("video/webm", Show.INLINE),
  MP3("audio/mpeg", Show.INLINE),
  WAV("audio/wav", Show.INLINE),
  OGG("audio/ogg", Show.INLINE),
  FLAC("audio/flac", Show.INLINE),
  JSON("application/json", Show.INLINE),
  TEXT("text/plain", Show.INLINE),
  MARKDOWN("text/markdown", Show.ATTACHED),
  CSV("text/csv", Show.ATTACHED),
  HTML("text/html", Show.ATTACHED),
  PDF("application/pdf", Show.ATTACHED),
  ZIP("application/zip", Show.ATTACHED),
  GLB("model/gltf-binary", Show.ATTACHED),
  BINARY("application/octet-stream", Show.ATTACHED);

  private enum Show {
    INLINE,
    ATTACHED
  }

  private static final Map<String, MediaType> BY_ESSENCE =
      Arrays.stream(values()).collect(toUnmodifiableMap(MediaType::essence, Function.identity()));

  /** Names that are in use beside the registered one. */
  private static final Map<String, MediaType> BY_ALIAS =
      Map.of(
          "image/jpg", JPEG,
          "audio/mp3", MP3,
          "audio/x-wav", WAV,
          "audio/wave", WAV,
          "audio/vnd.wave", WAV);

  private final String essence;
  private final String extension;
  private final Show show;

  MediaType(String essence, Show show) {
    this.essence = essence;
    this.extension = MediaTypes.extension(essence);
    this.show = show;
  }

  /** Finds a type by its name, whatever its case and parameters; empty if it is not stored here. */
  public static Optional<MediaType> of(String name) {
    String essence = MediaTypes.essence(name);
    return Optional.ofNullable(BY_ESSENCE.get(essence))
        .or(() -> Optional.ofNullable(BY_ALIAS.get(essence)));
  }

  /** Finds a type by the extension of a file's name; empty if there is none or it isn't known. */
  public static Optional<MediaType> ofFileName(String name) {
    return MediaTypes.knownOfName(name).flatMap(MediaType::of);
  }

  /** The type's one name, without parameters. */
  public String essence() {
    return essence;
  }

  public String extension() {
    return extension;
  }

  /** Whether a browser may show it on our origin: only what can't carry a script. */
  public boolean inline() {
    return show == Show.INLINE;
  }

  public boolean isText() {
    return essence.startsWith("text/") || this == JSON || this == SVG;
  }
}
