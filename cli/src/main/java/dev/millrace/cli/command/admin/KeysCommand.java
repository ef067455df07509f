package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.Moment;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "keys",
    description = "List, create, rotate and revoke API keys (admins).",
    subcommands = {
      KeysCommand.List.class,
      KeysCommand.Create.class,
      KeysCommand.Rotate.class,
      KeysCommand.Revoke.class
    })
public final class KeysCommand implements CommandAction {

  private static final String PATH = "/api/admin/keys";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session);
  }

  private static ExitCode list(Session session) throws IOException, InterruptedException {
    JsonNode page = session.api().get(PATH);
    Table table =
        new Table(
            Column.id("ID"),
            Column.text("NAME"),
            Column.id("PREFIX"),
            Column.id("ROLE"),
            Column.text("USER"),
            Column.id("CREATED"),
            Column.id("LAST USED"),
            Column.id("ENDS"),
            Column.id("REVOKED"));
    for (JsonNode key : page.path("items")) {
      table.row(
          ApiJson.text(key, "id"),
          ApiJson.text(key, "name"),
          ApiJson.text(key, "prefix"),
          ApiJson.text(key, "role"),
          ApiJson.text(key, "user"),
          session.ago(key, "created_at"),
          session.ago(key, "last_used_at"),
          session.ago(key, "ends_at"),
          session.ago(key, "revoked_at"));
    }
    session.printList(page, table, "There are no keys.");
    return ExitCode.OK;
  }

  @Command(name = "list", description = "List all keys, without their secrets.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session);
    }
  }

  @Command(name = "create", description = "Create a key and print its secret, this once.")
  static final class Create implements CommandAction {

    @Parameters(paramLabel = "NAME", description = "What the key is for.")
    private String name = "";

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        description = "user (default), reviewer, admin or operator.")
    private String role = "user";

    @Option(
        names = "--user",
        paramLabel = "USER",
        description = "Bind the key to this user; otherwise it may act for all.")
    private @Nullable String user;

    @Option(names = "--workspace", paramLabel = "LABEL", description = "Bind it to this label.")
    private @Nullable String workspace;

    @Option(
        names = "--effects",
        split = ",",
        paramLabel = "EFFECT",
        description = "All that it may ask for; otherwise anything.")
    private java.util.List<String> effects = new ArrayList<>();

    @Option(
        names = "--scopes",
        split = ",",
        paramLabel = "SCOPE",
        description = "All that it may do, such as jobs:read; otherwise what its role may.")
    private java.util.List<String> scopes = new ArrayList<>();

    @Option(
        names = "--ends",
        paramLabel = "TIME",
        description = "When it ends by itself, as 2030-01-31.")
    private @Nullable String ends;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("name", name).put("role", role);
      put(body, "user", user);
      put(body, "workspace", workspace);
      if (ends != null) {
        body.put("ends_at", Moment.read(ends, session.surroundings().clock().instant()));
      }
      put(body, "effects", effects);
      put(body, "scopes", scopes);
      return shown(session, session.api().post(PATH, body));
    }

    private static void put(ObjectNode body, String field, java.util.List<String> values) {
      if (!values.isEmpty()) {
        values.forEach(body.putArray(field)::add);
      }
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
      if (value != null) {
        body.put(field, value);
      }
    }
  }

  private static ExitCode shown(Session session, JsonNode key) {
    if (session.format() == Format.TABLE) {
      session.say(
          "Key %s (%s). The secret is shown only this once:"
              .formatted(ApiJson.text(key, "id"), ApiJson.text(key, "name")));
      session.print(ApiJson.text(key, "secret"));
    } else {
      session.print(key);
    }
    return ExitCode.OK;
  }

  @Command(
      name = "rotate",
      description = "Put a new key in the place of one, which works on for a while.")
  static final class Rotate implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The key's id, from the list.")
    private String id = "";

    @Option(
        names = "--overlap",
        paramLabel = "SECONDS",
        description = "So long the old one works on (default: a day).")
    private @Nullable Integer overlap;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object();
      if (overlap != null) {
        body.put("overlap_seconds", overlap);
      }
      String path = PATH + "/" + ServerApi.segment(id) + "/rotate";
      return Missing.told(
          "key", id, "millrace keys", () -> shown(session, session.api().post(path, body)));
    }
  }

  @Command(name = "revoke", description = "Make a key useless within seconds.")
  static final class Revoke implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The key's id, from the list.")
    private String id = "";

    @Mixin private Consent consent = new Consent();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      if (!consent.given(session, () -> question(session))) {
        return ExitCode.CANCELED;
      }
      return Missing.told("key", id, "millrace keys", () -> revoke(session));
    }

    private String question(Session session) throws IOException, InterruptedException {
      for (JsonNode key : session.api().get(PATH).path("items")) {
        if (ApiJson.text(key, "id").equals(id)) {
          String prefix = ApiJson.text(key, "prefix");
          boolean own = session.usesKey(prefix);
          return "Revoke the key %s (%s)?%s Whoever uses it is shut out, and there is no way back."
              .formatted(
                  ApiJson.text(key, "name"), prefix, own ? " It is the key you are using." : "");
        }
      }
      return "Revoke the key " + id + "? There is no way back.";
    }

    private ExitCode revoke(Session session) throws IOException, InterruptedException {
      session.api().delete(PATH + "/" + ServerApi.segment(id));
      session.say("Key " + id + " is revoked.");
      return ExitCode.OK;
    }
  }
}
