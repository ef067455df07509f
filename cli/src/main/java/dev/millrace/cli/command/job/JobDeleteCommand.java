package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "delete", description = "Delete ended jobs and their files, for good.")
final class JobDeleteCommand implements CommandAction {

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs' ids.")
  private List<String> ids = new ArrayList<>();

  @Mixin private Consent consent = new Consent();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    String question =
        "Delete "
            + (ids.size() == 1 ? ids.getFirst() : Say.count(ids.size(), "job"))
            + " with all files? There is no way back.";
    if (!consent.given(session, question)) {
      return ExitCode.CANCELED;
    }
    return new EachJob(session, JobDeleteCommand::line).run(ids, id -> delete(session, id));
  }

  private static JsonNode delete(Session session, String id)
      throws IOException, InterruptedException {
    return Missing.told("job", id, JobsCommand.LIST, () -> session.api().delete(ApiJob.path(id)));
  }

  private static String line(JsonNode answer) {
    JsonNode files = answer.path("files");
    long failed = ApiJson.number(files, "failed");
    return "%s  deleted, %s (%s)%s"
        .formatted(
            ApiJson.text(answer, "id"),
            Say.count(ApiJson.number(files, "removed"), "file"),
            Say.size(ApiJson.number(files, "bytes")),
            failed == 0 ? "" : "; " + Say.count(failed, "file") + " could not be removed");
  }
}
