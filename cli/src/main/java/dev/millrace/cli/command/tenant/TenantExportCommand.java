package dev.millrace.cli.command.tenant;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.OwnerFile;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "export",
    description = "Get all that a tenant has as a .tar.gz; keys and webhooks without secrets.")
final class TenantExportCommand extends TenantsCommand.OfOne {

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where to; the file must not be there yet, and you alone may read it.")
  private Path output = Path.of("");

  @Option(names = "--objects", description = "Also what its files have in them.")
  private boolean objects;

  @Override
  ExitCode act(Session session) throws IOException, InterruptedException {
    if (Files.exists(output)) {
      throw new CommandFailure(ExitCode.USAGE, "There is a file " + output + " already.");
    }
    try (InputStream archive =
        session.api().openDownload(path() + "/export", ApiJson.object().put("objects", objects))) {
      OwnerFile.save(output, archive);
    }
    JsonNode manifest;
    try {
      manifest = ExportReceipt.manifest(output);
    } catch (CommandFailure e) {
      Files.delete(output);
      throw e;
    }
    session.say(
        "Tenant %s is in %s: %s of jobs, %s."
            .formatted(
                slug,
                output,
                Say.count(ApiJson.number(manifest.path("rows"), "jobs"), "row"),
                Say.size(Files.size(output))));
    if (ApiJson.number(manifest, "objects_missing") > 0) {
      session.say(
          Say.count(ApiJson.number(manifest, "objects_missing"), "object")
              + " of its files could not be found in the store.");
    }
    session.print(manifest);
    return ExitCode.OK;
  }
}
