package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.command.shared.ListOptions;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "wallet",
    description = "Show a user's credits and limits.",
    subcommands = {
      WalletCommand.Show.class,
      WalletCommand.Ledger.class,
      WalletCommand.Credit.class,
      WalletCommand.Adjust.class,
      LimitsCommand.class
    })
public final class WalletCommand implements CommandAction {

  @Option(names = "--user", paramLabel = "USER", description = "Whose wallet.")
  private @Nullable String user;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return show(session, user);
  }

  private static ExitCode show(Session session, @Nullable String user)
      throws IOException, InterruptedException {
    String query = user == null ? "" : "?user=" + ServerApi.segment(user);
    return print(session, session.api().get("/api/wallet" + query));
  }

  private static ExitCode print(Session session, JsonNode wallet) {
    new Details()
        .line("user", ApiJson.text(wallet, "user"))
        .line("balance", ApiJson.text(wallet, "balance"))
        .line("reserved", ApiJson.text(wallet, "reserved"))
        .print(session, wallet);
    return ExitCode.OK;
  }

  @Command(name = "show", description = "Show the balance and what running jobs hold.")
  static final class Show implements CommandAction {

    @Option(names = "--user", paramLabel = "USER", description = "Whose wallet.")
    private @Nullable String user;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return show(session, user);
    }
  }

  @Command(name = "ledger", description = "List every movement of credits, newest first.")
  static final class Ledger implements CommandAction {

    @picocli.CommandLine.Mixin private ListOptions options = new ListOptions();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      JsonNode page =
          new Pages("/api/wallet/ledger")
              .with("user", options.user)
              .collect(session.api(), options.limit());
      Table table =
          new Table(
              Column.id("WHEN"),
              Column.id("TYPE"),
              Column.number("AMOUNT"),
              Column.number("CAPTURED"),
              Column.number("BALANCE"),
              Column.id("JOB"),
              Column.text("NOTE"));
      for (JsonNode line : page.path("items")) {
        table.row(
            session.ago(line, "at"),
            ApiJson.text(line, "type"),
            ApiJson.text(line, "amount"),
            ApiJson.text(line, "captured"),
            ApiJson.text(line, "balance_after"),
            ApiJson.text(line, "job_id"),
            ApiJson.text(line, "note"));
      }
      session.printList(page, table, "No credits have moved yet.");
      return ExitCode.OK;
    }
  }

  @Command(name = "credit", description = "Give a user credits (admins).")
  static final class Credit implements CommandAction {

    @Parameters(index = "0", paramLabel = "USER", description = "Who gets them.")
    private String user = "";

    @Parameters(index = "1", paramLabel = "AMOUNT", description = "How many; a whole number.")
    private long amount;

    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for the ledger.")
    private @Nullable String note;

    @Option(
        names = "--idempotency-key",
        paramLabel = "KEY",
        description = "Credits once per key, however often it is sent (default: a new one).")
    private @Nullable String idempotencyKey;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      if (amount < 1) {
        throw new CommandFailure(ExitCode.USAGE, "AMOUNT must be at least 1.");
      }
      String key = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
      ObjectNode body =
          ApiJson.object().put("user", user).put("amount", amount).put("idempotency_key", key);
      if (note != null) {
        body.put("note", note);
      }
      return print(session, session.api().postOnce("/api/admin/wallets/credit", body, key));
    }
  }

  @Command(
      name = "adjust",
      description = "Correct a user's credits, up or down (admins).",
      footer =
          "To take credits away, put -- before the arguments: wallet adjust --reason=... -- ada -5")
  static final class Adjust implements CommandAction {

    @Parameters(index = "0", paramLabel = "USER", description = "Whose wallet.")
    private String user = "";

    @Parameters(index = "1", paramLabel = "AMOUNT", description = "How many more; may be negative.")
    private long amount;

    @Option(
        names = "--reason",
        required = true,
        paramLabel = "TEXT",
        description = "Why, for the ledger and the audit.")
    private String reason = "";

    @Option(
        names = "--idempotency-key",
        paramLabel = "KEY",
        description = "Counts once per key, however often it is sent (default: a new one).")
    private @Nullable String idempotencyKey;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      String key = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
      ObjectNode body =
          ApiJson.object()
              .put("user", user)
              .put("amount", amount)
              .put("idempotency_key", key)
              .put("reason", reason);
      return print(session, session.api().postOnce("/api/admin/wallets/adjust", body, key));
    }
  }
}
