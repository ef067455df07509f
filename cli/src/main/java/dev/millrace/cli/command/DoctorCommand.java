package dev.millrace.cli.command;

import dev.millrace.cli.api.Json;
import dev.millrace.cli.shell.Action;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Clip;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.Style;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "doctor", description = "Check every invariant on the live system (admins).")
public final class DoctorCommand implements Action {

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode report = session.api().get("/api/admin/doctor");
    switch (session.format()) {
      case JSON -> session.print(report);
      case JSONL -> report.path("checks").forEach(session::print);
      case TABLE -> report.path("checks").forEach(check -> print(session, check));
    }
    // Both are asked, so that neither a missing verdict nor a missing check passes for health.
    long violated =
        report.path("checks").valueStream().filter(check -> !Json.truth(check, "ok")).count();
    boolean healthy = Json.truth(report, "ok") && violated == 0;
    if (session.format() == Format.TABLE) {
      session.say(
          healthy
              ? "All " + Say.count(report.path("checks").size(), "invariant") + " hold."
              : Say.count(violated, "invariant") + " violated.");
    }
    return healthy ? ExitCode.OK : ExitCode.VIOLATION;
  }

  private static void print(Session session, JsonNode check) {
    Style style = session.outStyle();
    boolean ok = Json.truth(check, "ok");
    String good = style.green(style.unicode() ? "\u2713" : "ok  ");
    String bad = style.red(style.unicode() ? "\u2717" : "FAIL");
    String number = String.format(Locale.ROOT, "%2d", Json.number(check, "number"));
    session.print((ok ? good : bad) + " " + number + "  " + Clip.plain(Json.text(check, "name")));
    if (ok) {
      return;
    }
    printIndented(session, Json.text(check, "law"));
    printIndented(session, Json.text(check, "explanation"));
    check.path("violations").forEach(v -> printIndented(session, Json.line(v)));
  }

  private static void printIndented(Session session, String text) {
    if (!text.isEmpty()) {
      session.print("      " + Clip.plain(text));
    }
  }
}
