package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.command.shared.Limit;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "workers",
    description = "Look after the fleet's workers (operators).",
    subcommands = {
      WorkersCommand.Listing.class,
      WorkersCommand.Show.class,
      WorkersCommand.Approve.class,
      WorkersCommand.Revoke.class,
      WorkersCommand.Drain.class,
      WorkersCommand.Resume.class,
      WorkersCommand.Rotate.class,
      WorkersCommand.Assign.class,
      WorkersCommand.Remove.class
    })
public final class WorkersCommand implements CommandAction {

  private static final String PATH = "/api/admin/workers";
  private static final int USUAL = 100;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session, USUAL);
  }

  private static ExitCode list(Session session, int limit)
      throws IOException, InterruptedException {
    ObjectNode page = new Pages(PATH).collect(session.api(), limit);
    Table table =
        new Table(
            Column.id("WORKER"),
            Column.state("STATUS"),
            Column.id("JOBS"),
            Column.text("WORKFLOWS"),
            Column.text("PROVIDERS"),
            Column.id("SEEN"),
            Column.id("REGISTERED"));
    for (JsonNode worker : page.path("items")) {
      table.row(
          ApiJson.text(worker, "worker_id"),
          worker.path("ready").asBoolean(true) ? ApiJson.text(worker, "status") : "not_ready",
          ApiJson.text(worker, "held") + "/" + ApiJson.text(worker, "max_concurrency"),
          joined(worker.path("workflows")),
          worker.path("providers").isNull() ? "any" : joined(worker.path("providers")),
          session.ago(worker, "last_seen_at"),
          session.ago(worker, "registered_at"));
    }
    session.printList(page, table, "No worker has registered.");
    return ExitCode.OK;
  }

  private static String joined(JsonNode names) {
    List<String> all = new ArrayList<>();
    names.forEach(name -> all.add(name.asString()));
    return String.join(", ", all);
  }

  @Command(name = "list", description = "List the workers.")
  static final class Listing implements CommandAction {

    @Mixin private Limit limit = new Limit();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session, limit.number());
    }
  }

  /** Something about one worker. */
  abstract static class OfOne implements CommandAction {

    @Parameters(
        index = "0",
        paramLabel = "WORKER",
        description = "The worker's name, from the list.")
    String id = "";

    abstract ExitCode act(Session session) throws IOException, InterruptedException;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return Missing.told("worker", id, "millrace workers", () -> act(session));
    }

    String path() {
      return PATH + "/" + ServerApi.segment(id);
    }

    ExitCode change(Session session, String verb, String participle)
        throws IOException, InterruptedException {
      JsonNode worker = session.api().post(path() + "/" + verb, ApiJson.object());
      if (session.format() == Format.TABLE) {
        session.say("Worker " + id + " is " + participle + ".");
      } else {
        session.print(worker);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "show", description = "Show all that is known of a worker.")
  static final class Show extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      session.print(session.api().get(path()));
      return ExitCode.OK;
    }
  }

  @Command(name = "approve", description = "Let a worker that waits for it have jobs.")
  static final class Approve extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      return change(session, "approve", "approved");
    }
  }

  @Command(name = "revoke", description = "Take a worker out at once; its jobs go to others.")
  static final class Revoke extends OfOne {

    @Mixin private Consent consent = new Consent();

    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      String question =
          "Revoke the worker " + id + "? Its jobs go to others, and there is no way back.";
      if (!consent.given(session, question)) {
        return ExitCode.CANCELED;
      }
      return change(session, "revoke", "revoked");
    }
  }

  @Command(name = "drain", description = "Give a worker no more jobs; it keeps what it has.")
  static final class Drain extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      return change(session, "drain", "draining");
    }
  }

  @Command(name = "resume", description = "Give a drained worker jobs again.")
  static final class Resume extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      return change(session, "resume", "back at work");
    }
  }

  @Command(name = "rotate", description = "Print another token for a worker, this once.")
  static final class Rotate extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      JsonNode worker = session.api().post(path() + "/rotate", ApiJson.object());
      if (session.format() == Format.TABLE) {
        session.say("Worker " + id + " has a new token, which is shown only this once:");
        session.print(ApiJson.text(worker, "token"));
      } else {
        session.print(worker);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "assign", description = "Say which workflows a worker runs, and no others.")
  static final class Assign extends OfOne {

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "WORKFLOW",
        description = "Their slugs.")
    private List<String> workflows = new ArrayList<>();

    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object();
      var slugs = body.putArray("workflow_slugs");
      workflows.forEach(slugs::add);
      JsonNode worker = session.api().put(path() + "/workflows", body);
      if (session.format() == Format.TABLE) {
        session.say("Worker " + id + " runs: " + joined(worker.path("workflows")));
      } else {
        session.print(worker);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "remove", description = "Forget a worker, so that its name is free again.")
  static final class Remove extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      session.api().delete(path());
      session.say("Worker " + id + " is removed.");
      return ExitCode.OK;
    }
  }
}
