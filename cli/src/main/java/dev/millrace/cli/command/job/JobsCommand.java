package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Job;
import dev.millrace.cli.api.Json;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.OutputTargets;
import dev.millrace.cli.command.shared.Progress;
import dev.millrace.cli.command.shared.WaitOptions;
import dev.millrace.cli.shell.Action;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "jobs",
    description = "List, show, watch, cancel, retry, review and delete jobs.",
    subcommands = {
      JobsCommand.List.class,
      JobsCommand.Show.class,
      JobsCommand.Watch.class,
      JobsCommand.Paid.class,
      JobsCommand.Cancel.class,
      JobEventsCommand.class,
      JobWhyCommand.class,
      JobRetryCommand.class,
      JobDeleteCommand.class,
      ReviewCommands.Items.class,
      ReviewCommands.Approve.class,
      ReviewCommands.Decline.class,
      ReviewCommands.Reject.class,
      ReviewCommands.Overturn.class,
      ReviewCommands.Adopt.class
    })
public final class JobsCommand implements Action {

  /** What to try when there is no such job. */
  static final String LIST = "millrace jobs";

  @Mixin private JobList list = new JobList();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list.print(session);
  }

  /**
   * Follows a job to its end, then delivers.
   *
   * @param eventsAreData print the events instead of the result, one per line
   */
  static ExitCode seeThrough(Session session, String id, WaitOptions waiting, boolean eventsAreData)
      throws IOException, InterruptedException {
    Consumer<JsonNode> onEvent = eventsAreData ? session::print : _ -> {};
    Job done =
        new JobWatch(session.api(), Progress.of(session), onEvent, waiting.timeout()).follow(id);
    return new Delivery(session, waiting.targets(), !eventsAreData).deliver(done);
  }

  @Command(name = "list", description = "List jobs, newest first.")
  static final class List implements Action {

    @Mixin private JobList list = new JobList();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list.print(session);
    }
  }

  @Command(name = "show", description = "Show one job.")
  static final class Show implements Action {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      print(session, find(session, id));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "watch",
      description = "Follow a job to its end; with --format jsonl, print each event.")
  static final class Watch implements Action {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Mixin private WaitOptions waiting = new WaitOptions();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      waiting.targets().ifPresent(OutputTargets::check);
      // Asked first, so that a mistyped id or a server that is down is told at once.
      find(session, id);
      try (OnInterrupt _ = new OnInterrupt(session, RunCommand.goesOnAdvice(id))) {
        return seeThrough(session, id, waiting, session.format() == Format.JSONL);
      }
    }
  }

  @Command(name = "receipt", description = "Show what a job cost, and every movement of it.")
  static final class Paid implements Action {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      Job job = new Job(find(session, id));
      JsonNode receipt = session.api().get(Job.path(id) + "/receipt");
      if (session.format() == Format.TABLE) {
        Receipt.lines(job, receipt, java.util.List.of(), session.outStyle())
            .forEach(session::print);
      } else {
        session.print(receipt);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "cancel", description = "Cancel a job; what it holds is refunded.")
  static final class Cancel implements Action {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return printState(session, act(session, id, Job.path(id) + "/cancel", Json.object()));
    }
  }

  /** Posts to a job, once. */
  static JsonNode act(Session session, String id, String path, JsonNode body)
      throws IOException, InterruptedException {
    return Missing.told("job", id, LIST, () -> session.api().post(path, body));
  }

  static ExitCode printState(Session session, JsonNode job) {
    if (session.format() == Format.TABLE) {
      session.print(Json.text(job, "id") + "  " + Json.text(job, "state"));
    } else {
      session.print(job);
    }
    return ExitCode.OK;
  }

  private static JsonNode find(Session session, String id)
      throws IOException, InterruptedException {
    return Missing.told("job", id, LIST, () -> session.api().get(Job.path(id)));
  }

  private static void print(Session session, JsonNode job) {
    JsonNode credits = job.path("credits");
    JsonNode error = job.path("error");
    Details details =
        new Details()
            .line("job", Json.text(job, "id"))
            .line("effect", Json.text(job, "effect"))
            .line("user", Json.text(job, "user"))
            .line("state", Json.text(job, "state"))
            .line("progress", Progress.line(job).plain().strip())
            .line(
                "credits",
                "held %s, captured %s, refunded %s"
                    .formatted(
                        Json.number(credits, "held"),
                        Json.number(credits, "captured"),
                        Json.number(credits, "refunded")))
            .line("price", price(job.path("price")))
            .line("delivered", Json.text(job, "delivered"))
            .line("error", Json.text(error, "message"))
            .line("attempt", Json.text(job, "attempt"))
            .line("created", session.ago(job, "created_at"))
            .line("started", session.ago(job, "started_at"))
            .line("finished", session.ago(job, "finished_at"))
            .line("runs", session.ago(job, "run_at"))
            .line("retry of", Json.text(job, "retry_of"))
            .line("follows", Json.text(job, "follows"))
            .line("follow-up", Json.text(job, "follow_up_id"))
            .line("batch", Json.text(job, "batch_id"))
            .line("overturned", session.ago(job, "overturned_at"))
            .line("input", job.has("input") ? Json.line(job.path("input")) : "");
    int number = 1;
    for (JsonNode file : job.path("outputs")) {
      details.line(
          "output " + number++, Json.text(file, "name") + " (" + Json.text(file, "id") + ")");
    }
    details.print(session, job);
  }

  private static String price(JsonNode price) {
    return price.isObject()
        ? Say.count(Json.number(price, "credits"), "credit") + " per " + Json.text(price, "per")
        : "";
  }
}
