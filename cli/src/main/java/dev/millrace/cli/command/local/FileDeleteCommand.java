package dev.millrace.cli.command.local;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "delete", description = "Delete files, for good.")
final class FileDeleteCommand implements CommandAction {

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The files' ids.")
  private List<String> ids = new ArrayList<>();

  @Mixin private Consent consent = new Consent();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    String question =
        "Delete "
            + (ids.size() == 1 ? ids.getFirst() : Say.count(ids.size(), "file"))
            + "? There is no way back.";
    if (!consent.given(session, question)) {
      return ExitCode.CANCELED;
    }
    for (String id : ids) {
      JsonNode deleted =
          Missing.told(
              "file",
              id,
              "millrace files",
              () -> session.api().delete("/api/files/" + ServerApi.segment(id)));
      if (session.format() == Format.TABLE) {
        session.print(id + "  deleted (" + Say.size(ApiJson.number(deleted, "bytes")) + ")");
      } else {
        session.print(deleted);
      }
    }
    return ExitCode.OK;
  }
}
