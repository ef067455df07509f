package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Limit;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "audit", description = "List who decided what, newest first (admins).")
public final class AuditCommand implements CommandAction {

  @Option(names = "--action", paramLabel = "ACTION", description = "Only of this kind.")
  private @Nullable String action;

  @Option(names = "--target", paramLabel = "ID", description = "Only about this.")
  private @Nullable String target;

  @Mixin private Limit limit = new Limit();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode page =
        new Pages("/api/admin/audit")
            .with("action", action)
            .with("target", target)
            .collect(session.api(), limit.number());
    Table table =
        new Table(
            Column.id("WHEN"),
            Column.id("ACTOR"),
            Column.id("ACTION"),
            Column.id("TARGET"),
            Column.text("DETAIL"));
    for (JsonNode entry : page.path("items")) {
      table.row(
          session.ago(entry, "at"),
          ApiJson.text(entry, "actor"),
          ApiJson.text(entry, "action"),
          ApiJson.text(entry, "target"),
          detail(entry.path("detail")));
    }
    session.printList(page, table, "Nothing is on record.");
    return ExitCode.OK;
  }

  private static String detail(JsonNode detail) {
    return detail.isEmpty() ? detail.asString("") : ApiJson.line(detail);
  }
}
