package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.Upload;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Brings files, and shows how far the large ones are. */
public final class UploadProgress {

  private UploadProgress() {}

  /**
   * Brings a file.
   *
   * @param type its media type; null to tell by the name's extension
   * @param user on whose behalf; null for the usual one
   * @return the File object of the API
   */
  public static JsonNode bring(
      Session session, Path file, @Nullable String type, @Nullable String user)
      throws IOException, InterruptedException {
    try (Shown shown = new Shown(session, String.valueOf(file.getFileName()))) {
      return new Upload(session.api(), shown::at).bring(file, type, user);
    }
  }

  /** Nothing is drawn for a file that goes at once. */
  private static final class Shown implements AutoCloseable {

    private final Session session;
    private final String name;
    private @Nullable ProgressDisplay progress;

    Shown(Session session, String name) {
      this.session = session;
      this.name = name;
    }

    void at(long bytes, long of) {
      if (progress == null) {
        progress = ProgressDisplay.of(session);
      }
      progress.event(
          ApiJson.object()
              .put("state", "uploading")
              .put("progress", of == 0 ? 100 : bytes * 100 / of)
              .put("step", name)
              .put("message", Say.size(bytes) + " of " + Say.size(of)));
    }

    @Override
    public void close() {
      if (progress != null) {
        progress.close();
      }
    }
  }
}
