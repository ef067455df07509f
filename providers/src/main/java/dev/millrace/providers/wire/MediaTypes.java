package dev.millrace.providers.wire;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Guesses a file's type by its name. Whoever fetches it believes the bytes more. */
final class MediaTypes {

  static final String UNKNOWN = "application/octet-stream";

  private static final Pattern TYPE = Pattern.compile("[a-z]+/[a-z0-9.+-]{1,80}");

  private static final Map<String, String> BY_EXTENSION =
      Map.ofEntries(
          Map.entry("png", "image/png"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("webp", "image/webp"),
          Map.entry("gif", "image/gif"),
          Map.entry("avif", "image/avif"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("webm", "video/webm"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("wav", "audio/wav"),
          Map.entry("ogg", "audio/ogg"),
          Map.entry("flac", "audio/flac"),
          Map.entry("json", "application/json"),
          Map.entry("txt", "text/plain"),
          Map.entry("md", "text/markdown"),
          Map.entry("csv", "text/csv"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("zip", "application/zip"),
          Map.entry("glb", "model/gltf-binary"));

  private MediaTypes() {}

  static String ofName(String name) {
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return BY_EXTENSION.getOrDefault(extension, UNKNOWN);
  }

  /** The type without its parameters; unknown if it is none. */
  static String plain(String type) {
    int parameters = type.indexOf(';');
    String essence =
        (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    return TYPE.matcher(essence).matches() ? essence : UNKNOWN;
  }

  static String extension(String type) {
    return BY_EXTENSION.entrySet().stream()
        .filter(entry -> entry.getValue().equals(type))
        .map(Map.Entry::getKey)
        .min((a, b) -> Integer.compare(a.length(), b.length()))
        .orElse("bin");
  }
}
