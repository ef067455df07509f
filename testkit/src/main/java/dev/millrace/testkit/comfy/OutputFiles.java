package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import java.util.HashMap;
import java.util.Map;

/** What the double has made. Guarded by the double's lock. */
final class OutputFiles {

  private final Map<String, byte[]> saved = new HashMap<>();

  void clear() {
    saved.clear();
  }

  /** Saves under the next free number, and returns the name. */
  String save(String folder, String stem, String ending, byte[] content) {
    for (int i = 1; ; i++) {
      String name = "%s_%05d_%s".formatted(stem, i, ending);
      if (saved.putIfAbsent(folder + name, content) == null) {
        return name;
      }
    }
  }

  Reply view(Request request) {
    String name = request.param("filename");
    if (name.contains("..") || name.startsWith("/")) {
      return Reply.empty(400);
    }
    byte[] content =
        saved.get(request.param("type") + "/" + request.param("subfolder") + "/" + name);
    return content == null
        ? Reply.empty(404)
        : Reply.bytes(200, InputFiles.mediaType(name), content)
            .with("Content-Disposition", "filename=\"" + name + "\"");
  }
}
