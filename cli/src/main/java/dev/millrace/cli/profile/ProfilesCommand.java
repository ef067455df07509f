package dev.millrace.cli.profile;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Profile;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "profiles",
    description = "List the servers that this machine has keys for, and choose one.",
    subcommands = {ProfilesCommand.List.class, ProfilesCommand.Use.class})
public final class ProfilesCommand implements CommandAction {

  @Override
  public ExitCode run(Session session) throws IOException {
    return list(session);
  }

  private static Profiles profiles(Session session) {
    return new Profiles(Profile.folder(session.surroundings().environment()));
  }

  private static ExitCode list(Session session) throws IOException {
    Profiles profiles = profiles(session);
    Table table = new Table(Column.id("PROFILE"), Column.id("SERVER"), Column.text("FILE"));
    ObjectNode page = ApiJson.object();
    ArrayNode items = page.putArray("items");
    for (Map.Entry<String, Profile> one : profiles.all().entrySet()) {
      String url = one.getValue().url().toString();
      String file = profiles.file(one.getKey()).toString();
      table.row(one.getKey(), url, file);
      items.addObject().put("name", one.getKey()).put("url", url).put("file", file);
    }
    session.printList(page, table, "There is no profile yet; ./millrace start makes one.");
    return ExitCode.OK;
  }

  @Command(name = "list", description = "List the profiles, without their keys.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException {
      return list(session);
    }
  }

  @Command(name = "use", description = "Make a profile the default; the one before is kept.")
  static final class Use implements CommandAction {

    @Parameters(paramLabel = "NAME", description = "The profile's name, from the list.")
    private String name = "";

    @Override
    public ExitCode run(Session session) throws IOException {
      Profiles profiles = profiles(session);
      Profile wanted =
          Profile.load(profiles.file(name))
              .orElseThrow(() ->
                  new CommandFailure(
                      ExitCode.NOT_FOUND,
                      "There is no profile " + name + ".",
                      "millrace profiles"));
      Optional<String> kept = profiles.use(wanted);
      session.say("The commands now ask " + wanted.url() + ".");
      kept.ifPresent(before -> session.say("The profile before is kept as " + before + "."));
      return ExitCode.OK;
    }
  }
}
