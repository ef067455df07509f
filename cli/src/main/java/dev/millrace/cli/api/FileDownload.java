package dev.millrace.cli.api;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.millrace.contract.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Fetches a file from its signed URL. The target appears whole and verified or not at all: the
 * bytes go to a hidden file beside it, which is renamed after size and checksum were found right.
 */
public final class FileDownload {

  private static final int TRIES = 3;

  private final ServerApi api;

  public FileDownload(ServerApi api) {
    this.api = api;
  }

  /**
   * Downloads, trying a fresh URL if the first one does not work.
   *
   * @param file the File object of the API
   * @throws IOException if it cannot be written, or what arrives is not what the server described
   */
  public void fetch(JsonNode file, Path target) throws IOException, InterruptedException {
    JsonNode current = file;
    for (int tried = 1; ; tried++) {
      try {
        fetchOnce(current, target);
        return;
      } catch (IOException | UnreachableException | RefusedException e) {
        if (tried == TRIES) {
          throw e;
        }
        api.pause().sleep(Retry.backoff(tried));
        // A signature may have run out while the job or the user took their time.
        current = api.getPatiently("/api/files/" + ServerApi.segment(ApiJson.text(file, "id")));
      }
    }
  }

  private void fetchOnce(JsonNode file, Path target) throws IOException, InterruptedException {
    // Not createTempFile: its owner-only permissions would stay with the finished file.
    Path part =
        target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".part");
    // Ctrl-C ends the process without running the finally below.
    part.toFile().deleteOnExit();
    try {
      MessageDigest sha256 = Sha256.start();
      long size = copy(ApiJson.text(file, "url"), part, sha256, ApiJson.number(file, "size"));
      verify(file, size, Sha256.hex(sha256));
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Stops one byte after the promised size: more would be wrong, however much it is. */
  private long copy(String url, Path part, MessageDigest digest, long expected)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[64 * 1024];
    long size = 0;
    try (InputStream in = api.openSigned(url);
        OutputStream out = Files.newOutputStream(part, CREATE_NEW, WRITE)) {
      int count;
      while (size <= expected && (count = in.read(buffer)) >= 0) {
        out.write(buffer, 0, count);
        digest.update(buffer, 0, count);
        size += count;
      }
    }
    return size;
  }

  private static void verify(JsonNode file, long size, String sha256) throws IOException {
    String name = ApiJson.text(file, "name");
    if (size != ApiJson.number(file, "size")) {
      throw new IOException(
          name + " should have " + ApiJson.number(file, "size") + " bytes, but " + size + " came");
    }
    if (!sha256.equalsIgnoreCase(ApiJson.text(file, "sha256"))) {
      throw new IOException(name + " arrived damaged: its SHA-256 does not match");
    }
  }
}
