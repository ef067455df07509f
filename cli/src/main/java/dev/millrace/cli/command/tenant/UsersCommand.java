package dev.millrace.cli.command.tenant;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Limit;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "users", description = "List a tenant's users and their wallets (admins).")
public final class UsersCommand implements CommandAction {

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      description = "Whose, by its slug (operators); otherwise the key's own.")
  private @Nullable String tenant;

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only those that begin so.")
  private @Nullable String prefix;

  @Mixin private Limit limit = new Limit();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    if (tenant == null) {
      return list(session, "/api/admin/users");
    }
    String path = TenantsCommand.PATH + "/" + ServerApi.segment(tenant) + "/users";
    return Missing.told("tenant", tenant, "millrace tenants", () -> list(session, path));
  }

  private ExitCode list(Session session, String path) throws IOException, InterruptedException {
    ObjectNode page = new Pages(path).with("prefix", prefix).collect(session.api(), limit.number());
    Table table =
        new Table(
            Column.text("USER"),
            Column.id("BALANCE"),
            Column.id("HELD"),
            Column.id("LIVE JOBS"),
            Column.id("STORED"),
            Column.id("LAST SEEN"));
    for (JsonNode user : page.path("items")) {
      table.row(
          ApiJson.text(user, "user"),
          Say.number(ApiJson.number(user, "balance")),
          Say.number(ApiJson.number(user, "held")),
          Say.number(ApiJson.number(user, "live_jobs")),
          user.path("stored_bytes").isNumber()
              ? Say.size(ApiJson.number(user, "stored_bytes"))
              : "",
          session.ago(user, "last_seen_at"));
    }
    session.printList(page, table, "There are no such users.");
    return ExitCode.OK;
  }
}
