package dev.millrace.cli.command.tenant;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads an export to its end, where its manifest stands: only a whole one has a receipt. */
final class ExportReceipt {

  private static final String MANIFEST = "manifest.json";
  private static final int MOST_BYTES = 1 << 20;

  private ExportReceipt() {}

  /** The manifest of an archive that is whole. */
  static JsonNode manifest(Path archive) throws IOException {
    @Nullable JsonNode manifest = null;
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
        TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(file), "UTF-8")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (entry.getName().equals(MANIFEST)) {
          manifest = ApiJson.parse(new String(tar.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        }
      }
    } catch (IOException | JacksonException e) {
      if (!Files.exists(archive)) {
        throw e;
      }
      throw broken(archive);
    }
    if (manifest == null || ApiJson.text(manifest, "receipt").isEmpty()) {
      throw broken(archive);
    }
    return manifest;
  }

  private static CommandFailure broken(Path archive) {
    return new CommandFailure(
        ExitCode.USAGE,
        archive + " is no export of a tenant, or not a whole one.",
        "millrace tenants export TENANT -o FILE");
  }
}
