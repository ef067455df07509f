package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The folder of uploaded files, with ComfyUI's rules for names. Guarded by the double's lock. */
final class InputFiles {

  private static final Pattern FILE =
      Pattern.compile("name=\"image\"; *filename=\"([^\"]*)\"", Pattern.CASE_INSENSITIVE);

  private final Map<String, byte[]> files = new HashMap<>();
  private int uploads;

  Set<String> names() {
    return files.keySet();
  }

  int uploads() {
    return uploads;
  }

  void clear() {
    files.clear();
  }

  /** Here a picture is what doesn't say that it is none. */
  boolean isCorrupt(String name) {
    byte[] content = Objects.requireNonNullElse(files.get(name), new byte[0]);
    return new String(content, StandardCharsets.ISO_8859_1).startsWith("corrupt");
  }

  Reply upload(Request request) {
    Map<String, String> fields = new HashMap<>();
    String text = request.body().latin1();
    String type = request.header("Content-Type").orElse("");
    String boundary = "--" + type.replaceFirst("^.*boundary=\"?([^\";]*).*$", "$1");
    String name = "";
    byte[] content = new byte[0];
    for (String part : text.split(Pattern.quote(boundary), -1)) {
      int end = part.indexOf("\r\n\r\n");
      if (end < 0) {
        continue;
      }
      String value = part.substring(end + 4, Math.max(end + 4, part.length() - 2));
      Matcher file = FILE.matcher(part.substring(0, end));
      if (file.find()) {
        name = file.group(1);
        content = value.getBytes(StandardCharsets.ISO_8859_1);
      } else {
        fields.put(part.replaceFirst("(?s).*?name=\"([^\"]*)\".*", "$1"), value);
      }
    }
    String folder = fields.getOrDefault("subfolder", "");
    if (name.isEmpty() || folder.contains("..")) {
      return Reply.empty(400);
    }
    uploads++;
    boolean overwrite = fields.getOrDefault("overwrite", "").equals("true");
    String stored = store(folder, name, content, overwrite);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("name", stored);
    answer.put("subfolder", folder);
    answer.put("type", fields.getOrDefault("type", "input"));
    return Reply.json(200, answer);
  }

  /** The same bytes keep their name; others under a name that is taken get another one. */
  private String store(String folder, String name, byte[] content, boolean overwrite) {
    String prefix = folder.isEmpty() ? "" : folder + "/";
    String stored = name;
    int dot = Math.max(0, name.lastIndexOf('.'));
    for (int i = 1; !overwrite && taken(prefix + stored, content); i++) {
      stored = name.substring(0, dot) + " (" + i + ")" + name.substring(dot);
    }
    files.put(prefix + stored, content);
    return stored;
  }

  private boolean taken(String key, byte[] content) {
    byte[] there = files.get(key);
    return there != null && !Arrays.equals(there, content);
  }

  static String mediaType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "png" -> "image/png";
      case "webp" -> "image/webp";
      case "mp4" -> "video/mp4";
      case "flac" -> "audio/flac";
      default -> "application/octet-stream";
    };
  }
}
