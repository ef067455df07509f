package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.FileDownload;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.OutputTargets;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What reviewers do: look at a job, and say what becomes of it. */
final class ReviewCommands {

  private ReviewCommands() {}

  @Command(name = "items", description = "List what a job in review has made (reviewers).")
  static final class Items implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FOLDER",
        description = "Download them too, to look at them.")
    private @Nullable Path output;

    @Option(names = "--force", description = "Overwrite files.")
    private boolean force;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      Optional<OutputTargets> targets =
          Optional.ofNullable(output).map(folder -> new OutputTargets(folder, force));
      targets.ifPresent(OutputTargets::check);
      JsonNode page =
          Missing.told(
              "job", id, JobsCommand.LIST, () -> session.api().get(ApiJob.path(id) + "/items"));
      if (targets.isPresent()) {
        download(session, page, targets.get());
      }
      Table table =
          new Table(
              Column.id("ID"),
              Column.text("NAME"),
              Column.text("TYPE"),
              Column.number("SIZE"),
              Column.id("WITHHELD"));
      for (JsonNode file : page.path("items")) {
        table.row(
            ApiJson.text(file, "id"),
            ApiJson.text(file, "name"),
            ApiJson.text(file, "media_type"),
            Say.size(ApiJson.number(file, "size")),
            ApiJson.truth(file, "withheld") ? "withheld" : "");
      }
      session.printList(page, table, "The job has made nothing.");
      return ExitCode.OK;
    }

    private static void download(Session session, JsonNode page, OutputTargets targets)
        throws IOException, InterruptedException {
      List<JsonNode> files = page.path("items").valueStream().toList();
      List<Path> paths = targets.plan(files);
      for (int i = 0; i < paths.size(); i++) {
        new FileDownload(session.api()).fetch(files.get(i), paths.get(i));
        session.say("Saved " + paths.get(i));
      }
    }
  }

  @Command(
      name = "approve",
      description = "Approve a job in review, whole or some of its items (reviewers).")
  static final class Approve implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(
        names = "--item",
        paramLabel = "FILE",
        split = ",",
        description =
            "Only this item, by its id (millrace jobs items ID); repeat it for more."
                + " The job waits until the others are decided too.")
    private List<String> items = new ArrayList<>();

    @Option(
        names = "--decline-rest",
        description = "Decline the items that are not named: they are withheld and not paid for.")
    private boolean declineRest;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        description = "Why the rest is declined, for the owner; with --decline-rest.")
    private String reason = "";

    @Option(names = "--no-follow-up", description = "Don't start what follows on an approval.")
    private boolean alone;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object();
      if (!items.isEmpty()) {
        ArrayNode ids = body.putArray("items");
        items.forEach(ids::add);
      }
      if (declineRest) {
        body.put("decline_rest", true);
      }
      if (!reason.isEmpty()) {
        body.put("reason", reason);
      }
      if (alone) {
        body.put("follow_up", false);
      }
      JsonNode job = JobsCommand.act(session, id, ApiJob.path(id) + "/approve", body);
      JobsCommand.printState(session, job);
      String next = ApiJson.text(job, "follow_up_id");
      if (!next.isEmpty()) {
        session.say("Its follow-up is " + next + ". To follow it: millrace jobs watch " + next);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "decline", description = "Decline a job in review (reviewers).")
  static final class Decline implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(
        names = "--reason",
        required = true,
        paramLabel = "TEXT",
        description = "Why, for the audit and the owner.")
    private String reason = "";

    @Option(
        names = "--item",
        paramLabel = "FILE",
        split = ",",
        description =
            "Only this item, by its id; repeat it for more. The job waits for the others.")
    private List<String> items = new ArrayList<>();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("reason", reason);
      if (!items.isEmpty()) {
        items.forEach(body.putArray("items")::add);
      }
      return JobsCommand.printState(
          session, JobsCommand.act(session, id, ApiJob.path(id) + "/decline", body));
    }
  }

  @Command(
      name = "reject",
      description = "Reject a job that has not started; it is refunded (reviewers).")
  static final class Reject implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(
        names = "--category",
        required = true,
        paramLabel = "NAME",
        description = "What it breaks, such as violence; its owner sees it.")
    private String category = "";

    @Option(
        names = "--reason",
        required = true,
        paramLabel = "TEXT",
        description = "Why, for the audit and the owner.")
    private String reason = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("category", category).put("reason", reason);
      return JobsCommand.printState(
          session, JobsCommand.act(session, id, admin(id, "reject"), body));
    }
  }

  @Command(
      name = "overturn",
      description = "Take a rejection back: what it cost is given back, once (reviewers).")
  static final class Overturn implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(
        names = "--reason",
        required = true,
        paramLabel = "TEXT",
        description = "Why, for the audit and the owner.")
    private String reason = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("reason", reason);
      JsonNode job = JobsCommand.act(session, id, admin(id, "overturn"), body);
      JobsCommand.printState(session, job);
      session.say(
          "Overturned; gave back "
              + Say.count(ApiJson.number(job.path("credits"), "captured"), "credit")
              + ".");
      return ExitCode.OK;
    }
  }

  @Command(
      name = "adopt",
      description = "Take a provider's result that came too late, and pay for it (admins).")
  static final class Adopt implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return JobsCommand.printState(
          session, JobsCommand.act(session, id, admin(id, "adopt"), ApiJson.object()));
    }
  }

  private static String admin(String id, String step) {
    return "/api/admin/jobs/" + ServerApi.segment(id) + "/" + step;
  }
}
