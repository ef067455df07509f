package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.command.shared.Effects;
import dev.millrace.cli.command.shared.Inputs;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "effects",
    description = "Show what can be run, and what it costs.",
    subcommands = {
      EffectsCommand.List.class,
      EffectsCommand.Show.class,
      EffectsCommand.Pause.class,
      EffectsCommand.Resume.class
    })
public final class EffectsCommand implements CommandAction {

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session);
  }

  private static ExitCode list(Session session) throws IOException, InterruptedException {
    JsonNode page = session.api().get("/api/effects");
    Table table =
        new Table(
            Column.id("EFFECT"),
            Column.number("CREDITS"),
            Column.text("TITLE"),
            Column.text("DESCRIPTION"));
    for (JsonNode effect : page.path("items")) {
      table.row(
          ApiJson.text(effect, "slug"),
          ApiJson.text(effect, "credits_cost"),
          (ApiJson.truth(effect, "paused") ? "(paused) " : "") + ApiJson.text(effect, "title"),
          ApiJson.text(effect, "description"));
    }
    session.printList(page, table, "The catalogue has no effects.");
    return ExitCode.OK;
  }

  @Command(name = "list", description = "List all effects.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session);
    }
  }

  @Command(name = "show", description = "Show one effect and its inputs.")
  static final class Show implements CommandAction {

    @Parameters(paramLabel = "EFFECT", description = "Such as sketch/poster.")
    private String slug = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      JsonNode effect = Effects.find(session.api(), slug);
      String seconds = ApiJson.text(effect, "last_processing_seconds");
      new Details()
          .line("effect", ApiJson.text(effect, "slug"))
          .line("title", ApiJson.text(effect, "title"))
          .line("description", ApiJson.text(effect, "description"))
          .line("workflow", ApiJson.text(effect, "workflow"))
          .line("credits", ApiJson.text(effect, "credits_cost"))
          .line("paused", ApiJson.truth(effect, "paused") ? "yes; its jobs wait" : "")
          .line("last took", seconds.isEmpty() ? "" : seconds + " s")
          .print(session, effect);
      if (session.format() == Format.TABLE) {
        printInputs(session, effect.path("input_schema"));
      }
      return ExitCode.OK;
    }

    private static void printInputs(Session session, JsonNode schema) {
      Table table =
          new Table(
              Column.id("INPUT"),
              Column.text("TYPE"),
              Column.text("DEFAULT"),
              Column.text("DESCRIPTION"));
      schema
          .path("properties")
          .properties()
          .forEach(property ->
              table.row(
                  property.getKey() + (isRequired(schema, property.getKey()) ? " *" : ""),
                  String.join("|", Inputs.types(property.getValue())),
                  text(property.getValue().path("default")),
                  describe(property.getValue())));
      if (!table.isEmpty()) {
        session.print("");
        session.print(table);
        session.say("* is required");
      }
    }

    private static String describe(JsonNode property) {
      JsonNode choices = property.path("enum");
      String description = ApiJson.text(property, "description");
      return choices.isEmpty() ? description : (description + " " + ApiJson.line(choices)).strip();
    }

    private static String text(JsonNode value) {
      return value.isMissingNode() ? "" : value.isString() ? value.asString() : ApiJson.line(value);
    }

    private static boolean isRequired(JsonNode schema, String name) {
      return schema.path("required").valueStream().anyMatch(r -> r.asString("").equals(name));
    }
  }

  @Command(name = "pause", description = "Start no more jobs of an effect; they wait (operators).")
  static final class Pause implements CommandAction {

    @Parameters(paramLabel = "EFFECT", description = "Such as sketch/poster.")
    private String slug = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return PauseSwitch.EFFECT.turn(session, slug, "pause");
    }
  }

  @Command(name = "resume", description = "Start jobs of a paused effect again (operators).")
  static final class Resume implements CommandAction {

    @Parameters(paramLabel = "EFFECT", description = "Such as sketch/poster.")
    private String slug = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return PauseSwitch.EFFECT.turn(session, slug, "resume");
    }
  }
}
