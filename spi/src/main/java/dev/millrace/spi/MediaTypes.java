package dev.millrace.spi;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which media type a file has by its name, and which ending fits a type. A guess: whoever stores a
 * file believes its bytes more.
 */
public final class MediaTypes {

  public static final String UNKNOWN = "application/octet-stream";

  private static final Pattern SHAPE =
      Pattern.compile("[a-z0-9][a-z0-9.+-]{0,63}/[a-z0-9][a-z0-9.+-]{0,79}");

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
          Map.entry("md", "text/markdown"),
          Map.entry("csv", "text/csv"),
          Map.entry("html", "text/html"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("zip", "application/zip"),
          Map.entry("bin", UNKNOWN));

  private MediaTypes() {}

  /** By the ending of a file's name; unknown if it has none, or a strange one. */
  public static String ofName(String fileName) {
    return knownOfName(fileName).orElse(UNKNOWN);
  }

  /** By the ending of a file's name; empty if it has none, or a strange one. */
  public static Optional<String> knownOfName(String fileName) {
    int dot = fileName.lastIndexOf('.');
    String ending = dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
    return Optional.ofNullable(BY_EXTENSION.get(ending));
  }

  /** A type without its parameters, in lower case, whatever else it is. */
  public static String essence(String type) {
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }

  /** A type without its parameters; unknown if it is none. */
  public static String plain(String type) {
    String essence = essence(type);
    return SHAPE.matcher(essence).matches() ? essence : UNKNOWN;
  }

  /** The type that somebody named if it is a telling one, else the one of the file's name. */
  public static String of(String named, String fileName) {
    String plain = plain(named);
    return plain.equals(UNKNOWN) ? ofName(fileName) : plain;
  }

  /** The shortest ending that fits a type, without a dot; {@code bin} if the type is strange. */
  public static String extension(String type) {
    return BY_EXTENSION.entrySet().stream()
        .filter(entry -> entry.getValue().equals(type))
        .map(Map.Entry::getKey)
        .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
        .orElse("bin");
  }
}
