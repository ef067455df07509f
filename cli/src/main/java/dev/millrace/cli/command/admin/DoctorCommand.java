package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Stopwatch;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Clip;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.TextStyle;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "doctor", description = "Check every invariant on the live system (operators).")
public final class DoctorCommand implements CommandAction {

  private static final int LONGEST_LINE = 90;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode report;
    try (var _ = Stopwatch.start(session, "Checking the invariants")) {
      report = session.api().get("/api/admin/doctor");
    }
    switch (session.format()) {
      case JSON -> session.print(report);
      case JSONL -> report.path("checks").forEach(session::print);
      case TABLE -> report.path("checks").forEach(check -> print(session, check));
    }
    // Both are asked, so that neither a missing verdict nor a missing check passes for health.
    long bad =
        report.path("checks").valueStream().filter(check -> !ApiJson.truth(check, "ok")).count();
    long skipped = report.path("checks").valueStream().filter(DoctorCommand::skipped).count();
    boolean healthy = ApiJson.truth(report, "ok") && bad == 0;
    if (session.format() == Format.TABLE) {
      session.say(verdict(report.path("checks").size(), healthy, bad - skipped, skipped));
    }
    if (healthy) {
      return ExitCode.OK;
    }
    return skipped > 0 && skipped == bad ? ExitCode.NOT_CHECKED : ExitCode.VIOLATION;
  }

  private static String verdict(int checks, boolean healthy, long violated, long skipped) {
    if (healthy) {
      return "All " + Say.count(checks, "invariant") + " hold.";
    }
    String unchecked = skipped == 0 ? "" : " " + Say.count(skipped, "invariant") + " not checked.";
    return Say.count(violated, "invariant") + " violated." + unchecked;
  }

  private static boolean skipped(JsonNode check) {
    return ApiJson.text(check, "status").equals("not_checked");
  }

  private static void print(Session session, JsonNode check) {
    TextStyle style = session.outStyle();
    boolean ok = ApiJson.truth(check, "ok");
    String good = style.green(style.unicode() ? "\u2713" : "ok  ");
    String bad = style.red(style.unicode() ? "\u2717" : "FAIL");
    String open = style.state("canceled", style.unicode() ? "?" : "?   ");
    String mark = ok ? good : skipped(check) ? open : bad;
    String number = String.format(Locale.ROOT, "%2d", ApiJson.number(check, "number"));
    session.print(mark + " " + number + "  " + Clip.plain(ApiJson.text(check, "name")));
    if (ok) {
      return;
    }
    printIndented(session, ApiJson.text(check, "law"));
    if (skipped(check)) {
      printIndented(session, "Not checked: " + ApiJson.text(check, "reason") + ".");
      return;
    }
    printIndented(session, ApiJson.text(check, "explanation"));
    check.path("violations").forEach(v -> session.print("      " + Clip.plain(ApiJson.line(v))));
    printIndented(session, rest(check));
  }

  /** How many violations there are besides those that were printed. */
  private static String rest(JsonNode check) {
    long rest = ApiJson.number(check, "violations_in_all") - check.path("violations").size();
    if (rest <= 0) {
      return "";
    }
    return "and %s%d more"
        .formatted(ApiJson.truth(check, "violations_more") ? "at least " : "", rest);
  }

  /** Prints text in lines that are pleasant to read. */
  private static void printIndented(Session session, String text) {
    StringBuilder line = new StringBuilder();
    for (String word : Clip.plain(text).split(" ", -1)) {
      if (line.length() + word.length() >= LONGEST_LINE) {
        session.print("      " + line);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    if (!line.isEmpty()) {
      session.print("      " + line);
    }
  }
}
