package dev.millrace.storage;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The types of file that Millrace stores; nothing else gets a key. Each has its extension, and is
 * shown by a browser in place or only saved.
 */
public enum MediaType {
  PNG("image/png", "png", Show.INLINE),
  JPEG("image/jpeg", "jpg", Show.INLINE),
  WEBP("image/webp", "webp", Show.INLINE),
  GIF("image/gif", "gif", Show.INLINE),
  AVIF("image/avif", "avif", Show.INLINE),
  SVG("image/svg+xml", "svg", Show.ATTACHED),
  MP4("video/mp4", "mp4", Show.INLINE),
  WEBM("video/webm", "webm", Show.INLINE),
  MP3("audio/mpeg", "mp3", Show.INLINE),
  WAV("audio/wav", "wav", Show.INLINE),
  OGG("audio/ogg", "ogg", Show.INLINE),
  FLAC("audio/flac", "flac", Show.INLINE),
  JSON("application/json", "json", Show.INLINE),
  TEXT("text/plain", "txt", Show.INLINE),
  MARKDOWN("text/markdown", "md", Show.ATTACHED),
  CSV("text/csv", "csv", Show.ATTACHED),
  HTML("text/html", "html", Show.ATTACHED),
  PDF("application/pdf", "pdf", Show.ATTACHED),
  ZIP("application/zip", "zip", Show.ATTACHED),
  GLB("model/gltf-binary", "glb", Show.ATTACHED),
  BINARY("application/octet-stream", "bin", Show.ATTACHED);

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

  MediaType(String essence, String extension, Show show) {
    this.essence = essence;
    this.extension = extension;
    this.show = show;
  }

  /** Finds a type by its name, whatever its case and parameters; empty if it is not stored here. */
  public static Optional<MediaType> of(String name) {
    int parameters = name.indexOf(';');
    String essence =
        (parameters < 0 ? name : name.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    return Optional.ofNullable(BY_ESSENCE.get(essence))
        .or(() -> Optional.ofNullable(BY_ALIAS.get(essence)));
  }

  /** Finds a type by the extension of a file's name; empty if there is none or it isn't known. */
  public static Optional<MediaType> ofFileName(String name) {
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return name.indexOf('.') < 0
        ? Optional.empty()
        : Arrays.stream(values())
            .filter(type ->
                type.extension.equals(extension) || (type == JPEG && extension.equals("jpeg")))
            .findFirst();
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
