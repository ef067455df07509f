package dev.millrace.web.dialect.openai;

import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import java.util.Optional;
import java.util.UUID;

/** Ids with the words in front that these clients are used to. */
final class Ids {

  static final String FILE = "file-";
  static final String VIDEO = "video_";
  static final String CHAT = "chatcmpl-";
  static final String BATCH = "batch_";

  private Ids() {}

  static Optional<UUID> find(String prefix, String text) {
    return Params.uuid(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
  }

  static UUID of(String prefix, String text) {
    return find(prefix, text).orElseThrow(ProblemException::notFound);
  }
}
