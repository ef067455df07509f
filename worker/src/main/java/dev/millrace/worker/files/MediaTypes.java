package dev.millrace.worker.files;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Which media type a file has by its name, and which ending fits a type. */
public final class MediaTypes {

  public static final String UNKNOWN = "application/octet-stream";

  private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*");

  private static final Map<String, String> BY_ENDING =
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
          Map.entry("mov", "video/quicktime"),
          Map.entry("mkv", "video/x-matroska"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("wav", "audio/wav"),
          Map.entry("flac", "audio/flac"),
          Map.entry("ogg", "audio/ogg"),
          Map.entry("opus", "audio/ogg"),
          Map.entry("m4a", "audio/mp4"),
          Map.entry("glb", "model/gltf-binary"),
          Map.entry("json", "application/json"),
          Map.entry("txt", "text/plain"),
          Map.entry("csv", "text/csv"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("zip", "application/zip"));

  private MediaTypes() {}

  /** The type that a server named if it is a telling one, else the one of the file's name. */
  public static String of(String named, String fileName) {
    String type = named.toLowerCase(Locale.ROOT).replaceFirst(";.*", "").strip();
    return SHAPE.matcher(type).matches() && !type.equals(UNKNOWN) ? type : ofName(fileName);
  }

  public static String ofName(String fileName) {
    int dot = fileName.lastIndexOf('.');
    String ending = dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
    return BY_ENDING.getOrDefault(ending, UNKNOWN);
  }

  /** With the dot; {@code .bin} if the type is a strange one. */
  public static String ending(String mediaType) {
    return BY_ENDING.entrySet().stream()
        .filter(entry -> entry.getValue().equals(mediaType))
        .map(entry -> "." + entry.getKey())
        .min((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length())
        .orElse(".bin");
  }
}
