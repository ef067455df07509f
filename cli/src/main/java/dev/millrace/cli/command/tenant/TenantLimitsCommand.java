package dev.millrace.cli.command.tenant;

import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "limits",
    description = "Show or change how much a tenant may have.",
    footer = {
      "%nLIMIT is one of:",
      "  active_jobs, daily_jobs             of a user, at once and in a day",
      "  priority                            the highest that its admins may ask for",
      "  storage_bytes, user_storage_bytes   of all its files, and of a user's",
      "  requests_per_minute, burst          of one key or token",
      "  tenant_requests_per_minute          of all of them together",
      "A value is a number, none for no limit, or default for what is usual.",
      "Example:",
      "  millrace tenants limits acme --set active_jobs=20 --set storage_bytes=none"
    })
final class TenantLimitsCommand extends TenantsCommand.OfOne {

  @Option(
      names = "--set",
      paramLabel = "LIMIT=VALUE",
      description = "Change one and leave the others; may be repeated.")
  private Map<String, String> wanted = new LinkedHashMap<>();

  @Override
  ExitCode act(Session session) throws IOException, InterruptedException {
    JsonNode limits = session.api().get(path()).path("limits");
    if (!wanted.isEmpty()) {
      ObjectNode changed = (ObjectNode) limits.deepCopy();
      wanted.forEach((limit, value) -> put(changed, limit, value));
      // All are set together, so what was not typed is sent back as it is.
      limits = session.api().put(path() + "/limits", changed).path("limits");
    }
    Details details = new Details();
    lines(details, limits);
    details.print(session, limits);
    return ExitCode.OK;
  }

  private static void put(ObjectNode limits, String limit, String value) {
    if (!limits.has(limit)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "There is no limit " + limit + ".",
          String.join(", ", limits.propertyNames()));
    }
    switch (value) {
      case "none" -> limits.put(limit, 0);
      case "default" -> limits.putNull(limit);
      default -> limits.put(limit, number(limit, value));
    }
  }

  private static long number(String limit, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException _) {
      throw new CommandFailure(
          ExitCode.USAGE, limit + " needs a number, none or default, not '" + value + "'.");
    }
  }

  /** A line for each. */
  static void lines(Details details, JsonNode limits) {
    for (String limit : limits.propertyNames()) {
      details.line(limit, words(limit, limits.path(limit)));
    }
  }

  private static String words(String limit, JsonNode value) {
    if (!value.isNumber()) {
      return "as usual";
    }
    long number = value.asLong();
    if (number == 0 && !limit.equals("priority")) {
      return "no limit";
    }
    return limit.endsWith("_bytes") ? Say.size(number) : Say.number(number);
  }
}
