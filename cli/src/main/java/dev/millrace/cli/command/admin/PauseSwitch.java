package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Effects;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/**
 * Pauses and resumes effects and workflows.
 *
 * @param kind what it is called, in sentences and in addresses
 * @param field the catalogue's field that holds the names there are
 */
record PauseSwitch(String kind, String field) {

  static final PauseSwitch EFFECT = new PauseSwitch("effect", "slug");
  static final PauseSwitch WORKFLOW = new PauseSwitch("workflow", "workflow");

  /** Does it; both ways are idempotent. */
  ExitCode turn(Session session, String slug, String verb)
      throws IOException, InterruptedException {
    String path = "/api/admin/" + kind + "s/" + Effects.path(slug) + "/" + verb;
    JsonNode answer =
        Effects.told(
            session.api(),
            kind,
            field,
            slug,
            "millrace effects",
            () -> session.api().post(path, ApiJson.object()));
    boolean paused = ApiJson.truth(answer, "paused");
    if (session.format() != Format.TABLE) {
      session.print(answer);
      return ExitCode.OK;
    }
    session.print(ApiJson.text(answer, "slug") + "  " + (paused ? "paused" : "active"));
    if (paused) {
      session.say(
          "Jobs are still accepted; they wait until: millrace " + kind + "s resume " + slug);
    }
    return ExitCode.OK;
  }
}
