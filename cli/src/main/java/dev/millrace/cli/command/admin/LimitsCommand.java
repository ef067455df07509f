package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "limits",
    description = "Show or change how many jobs a user may have (admins).",
    footer = {
      "%nA limit is a number, none for no limit, or default for the server's setting.",
      "Example:",
      "  millrace wallet limits --user ann --active 5 --daily none"
    })
final class LimitsCommand implements CommandAction {

  private static final String PATH = "/api/admin/wallets/limits";

  @Option(names = "--user", paramLabel = "USER", description = "Whose (default: default).")
  private String user = "default";

  @Option(names = "--active", paramLabel = "N", description = "At the same time.")
  private @Nullable String active;

  @Option(names = "--daily", paramLabel = "N", description = "In a day.")
  private @Nullable String daily;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    ObjectNode wanted = ApiJson.object().put("user", user);
    put(wanted, "active_jobs", "--active", active);
    put(wanted, "daily_jobs", "--daily", daily);
    String read = PATH + "?user=" + ServerApi.segment(user);
    if (active == null && daily == null) {
      return print(session, session.api().get(read));
    }
    if (active == null || daily == null) {
      // Both are set together, so the one that was not typed is sent back as it is.
      JsonNode now = session.api().get(read);
      for (String field : new String[] {"active_jobs", "daily_jobs"}) {
        if (!wanted.has(field)) {
          wanted.set(field, now.path(field).isNumber() ? now.path(field) : wanted.nullNode());
        }
      }
    }
    return print(session, session.api().put(PATH, wanted));
  }

  private static void put(ObjectNode body, String field, String option, @Nullable String typed) {
    if (typed == null) {
      return;
    }
    switch (typed) {
      case "none" -> body.put(field, 0);
      case "default" -> body.putNull(field);
      default -> body.put(field, number(option, typed));
    }
  }

  private static int number(String option, String typed) {
    try {
      int number = Integer.parseInt(typed);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Told below, like a number that is none of the possible ones.
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        option + " needs a number from 1, none or default, not '" + typed + "'.",
        "none, if there shall be no limit; default for the server's setting");
  }

  private static ExitCode print(Session session, JsonNode limits) {
    new Details()
        .line("user", ApiJson.text(limits, "user"))
        .line("active", words(limits, "active_now", "active_jobs"))
        .line("today", words(limits, "today", "daily_jobs"))
        .print(session, limits);
    return ExitCode.OK;
  }

  private static String words(JsonNode limits, String used, String limit) {
    JsonNode most = limits.path(limit);
    String end =
        !most.isNumber()
            ? ", limited by the server's setting"
            : most.asLong() == 0 ? ", no limit" : " of " + Say.number(most.asLong());
    return Say.number(ApiJson.number(limits, used)) + end;
  }
}
