package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.OutputTargets;
import dev.millrace.cli.command.shared.ProgressDisplay;
import dev.millrace.cli.command.shared.WaitOptions;
import dev.millrace.cli.shell.CommandAction;
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
public final class JobsCommand implements CommandAction {

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
    ApiJob done =
        new JobWatch(session.api(), ProgressDisplay.of(session), onEvent, waiting.timeout())
            .follow(id);
    return new OutputDelivery(session, waiting.targets(), !eventsAreData).deliver(done);
  }

  @Command(name = "list", description = "List jobs, newest first.")
  static final class List implements CommandAction {

    @Mixin private JobList list = new JobList();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list.print(session);
    }
  }

  @Command(name = "show", description = "Show one job.")
  static final class Show implements CommandAction {

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
  static final class Watch implements CommandAction {

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
  static final class Paid implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ApiJob job = new ApiJob(find(session, id));
      JsonNode receipt = session.api().get(ApiJob.path(id) + "/receipt");
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
  static final class Cancel implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return printState(session, act(session, id, ApiJob.path(id) + "/cancel", ApiJson.object()));
    }
  }

  /** Posts to a job, once. */
  static JsonNode act(Session session, String id, String path, JsonNode body)
      throws IOException, InterruptedException {
    return Missing.told("job", id, LIST, () -> session.api().post(path, body));
  }

  static ExitCode printState(Session session, JsonNode job) {
    if (session.format() == Format.TABLE) {
      session.print(ApiJson.text(job, "id") + "  " + ApiJson.text(job, "state"));
    } else {
      session.print(job);
    }
    return ExitCode.OK;
  }

  private static JsonNode find(Session session, String id)
      throws IOException, InterruptedException {
    return Missing.told("job", id, LIST, () -> session.api().get(ApiJob.path(id)));
  }

  private static void print(Session session, JsonNode job) {
    JsonNode credits = job.path("credits");
    JsonNode error = job.path("error");
    Details details =
        new Details()
            .line("job", ApiJson.text(job, "id"))
            .line("effect", ApiJson.text(job, "effect"))
            .line("user", ApiJson.text(job, "user"))
            .line("state", ApiJson.text(job, "state"))
            .line("progress", ProgressDisplay.line(job).plain().strip())
            .line(
                "credits",
                "held %s, captured %s, refunded %s"
                    .formatted(
                        ApiJson.number(credits, "held"),
                        ApiJson.number(credits, "captured"),
                        ApiJson.number(credits, "refunded")))
            .line("price", price(job.path("price")))
            .line("delivered", ApiJson.text(job, "delivered"))
            .line("error", ApiJson.text(error, "message"))
            .line("attempt", ApiJson.text(job, "attempt"))
            .line("created", session.ago(job, "created_at"))
            .line("started", session.ago(job, "started_at"))
            .line("finished", session.ago(job, "finished_at"))
            .line("runs", session.ago(job, "run_at"))
            .line("retry of", ApiJson.text(job, "retry_of"))
            .line("follows", ApiJson.text(job, "follows"))
            .line("follow-up", ApiJson.text(job, "follow_up_id"))
            .line("batch", ApiJson.text(job, "batch_id"))
            .line("overturned", session.ago(job, "overturned_at"))
            .line("input", job.has("input") ? ApiJson.line(job.path("input")) : "");
    int number = 1;
    for (JsonNode file : job.path("outputs")) {
      details.line(
          "output " + number++, ApiJson.text(file, "name") + " (" + ApiJson.text(file, "id") + ")");
    }
    details.print(session, job);
  }

  private static String price(JsonNode price) {
    return price.isObject()
        ? Say.count(ApiJson.number(price, "credits"), "credit")
            + " per "
            + ApiJson.text(price, "per")
        : "";
  }
}
