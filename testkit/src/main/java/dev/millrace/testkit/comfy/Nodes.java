package dev.millrace.testkit.comfy;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The node types that the double knows, as far as validation looks at them. */
final class Nodes {

  /**
   * A node type.
   *
   * @param required the inputs it can't do without
   * @param output the key of its outputs, or an empty text if it has none
   */
  record Type(Set<String> required, String output, String ending) {
    boolean saves() {
      return !output.isEmpty();
    }
  }

  static final List<String> UPSCALE_METHODS =
      List.of("nearest-exact", "bilinear", "area", "bicubic", "lanczos");

  private static final Map<String, Type> TYPES =
      Map.ofEntries(
          Map.entry("LoadImage", new Type(Set.of("image"), "", "")),
          Map.entry("EmptyImage", new Type(Set.of(), "", "")),
          Map.entry("ImageInvert", new Type(Set.of("image"), "", "")),
          Map.entry("ImageBlur", new Type(Set.of("image"), "", "")),
          Map.entry("ImageScale", new Type(Set.of("image"), "", "")),
          Map.entry("CreateVideo", new Type(Set.of("images"), "", "")),
          Map.entry("TestSleep", new Type(Set.of("value"), "", "")),
          Map.entry("TestSyncError", new Type(Set.of("value"), "", "")),
          Map.entry("TestOutOfMemory", new Type(Set.of("value"), "", "")),
          Map.entry("SaveImage", new Type(Set.of("images"), "images", ".png")),
          Map.entry("PreviewImage", new Type(Set.of("images"), "images", ".png")),
          Map.entry("SaveAnimatedWEBP", new Type(Set.of("images"), "images", ".webp")),
          Map.entry("SaveVideo", new Type(Set.of("video"), "images", ".mp4")),
          Map.entry("VHS_VideoCombine", new Type(Set.of("images"), "gifs", ".mp4")),
          Map.entry("SaveAudio", new Type(Set.of("audio"), "audio", ".flac")),
          Map.entry("SaveFile", new Type(Set.of("value"), "files", ".json")));

  private Nodes() {}

  static boolean known(String type) {
    return TYPES.containsKey(type);
  }

  static Type of(String type) {
    Type found = TYPES.get(type);
    if (found == null) {
      throw new IllegalArgumentException(type);
    }
    return found;
  }
}
