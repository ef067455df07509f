package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiBatch;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.ListOptions;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.command.shared.Seconds;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "batches",
    description = "Submit many jobs at once, and follow, cancel and retry them together.",
    subcommands = {
      BatchSubmitCommand.class,
      BatchesCommand.List.class,
      BatchesCommand.Show.class,
      BatchesCommand.Watch.class,
      BatchesCommand.Cancel.class,
      BatchesCommand.Retry.class
    })
public final class BatchesCommand implements CommandAction {

  private static final String LIST = "millrace batches";

  @Mixin private ListOptions options = new ListOptions();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session, options);
  }

  private static ExitCode list(Session session, ListOptions options)
      throws IOException, InterruptedException {
    JsonNode page =
        new Pages("/api/batches")
            .with("user", options.user)
            .collect(session.api(), options.limit());
    Table table =
        new Table(
            Column.id("ID"),
            Column.number("JOBS"),
            Column.id("FINISHED"),
            Column.number("CREDITS"),
            Column.id("CREATED"),
            Column.text("STATES"));
    for (JsonNode json : page.path("items")) {
      ApiBatch batch = new ApiBatch(json);
      JsonNode credits = json.path("credits");
      table.row(
          batch.id(),
          Long.toString(batch.size()),
          ApiJson.truth(json, "finished") ? "yes" : "no",
          Long.toString(ApiJson.number(credits, "held") - ApiJson.number(credits, "refunded")),
          session.ago(json, "created_at"),
          BatchText.counts(batch));
    }
    session.printList(page, table, "No batches. To make one: millrace batches submit FILE");
    return ExitCode.OK;
  }

  private static ApiBatch find(Session session, String id)
      throws IOException, InterruptedException {
    return new ApiBatch(
        Missing.told("batch", id, LIST, () -> session.api().get(ApiBatch.path(id))));
  }

  /** A key of its own, so that a lost answer to a retry cannot lead to two new batches. */
  private static JsonNode act(Session session, String id, String verb)
      throws IOException, InterruptedException {
    String path = ApiBatch.path(id) + "/" + verb;
    String key = UUID.randomUUID().toString();
    return Missing.told(
        "batch", id, LIST, () -> session.api().postOnce(path, ApiJson.object(), key));
  }

  @Command(name = "list", description = "List batches, newest first.")
  static final class List implements CommandAction {

    @Mixin private ListOptions options = new ListOptions();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session, options);
    }
  }

  @Command(name = "show", description = "Show how a batch stands.")
  static final class Show implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The batch's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      BatchText.print(session, find(session, id));
      session.say("Its jobs: millrace jobs --batch " + id);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "watch",
      description = "Show how a batch goes until it is done; with --format jsonl, each change.")
  static final class Watch implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The batch's id.")
    private String id = "";

    @Option(
        names = "--timeout",
        paramLabel = "TIME",
        converter = Seconds.class,
        description = "Stop watching after this time, such as 90s or 5m; the batch goes on.")
    private @Nullable Duration timeout;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      // Asked first, so that a mistyped id or a server that is down is told at once.
      find(session, id);
      try (OnInterrupt _ = new OnInterrupt(session, BatchWatch.goesOnAdvice(id))) {
        return new BatchWatch(session, Optional.ofNullable(timeout)).seeThrough(id);
      }
    }
  }

  @Command(name = "cancel", description = "Cancel all of a batch that is not done yet.")
  static final class Cancel implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The batch's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      TaskText.printStarted(session, act(session, id, "cancel"));
      session.say("To see how it goes: millrace batches watch " + id);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "retry",
      description =
          "Ask again for the jobs that ended badly: a new batch; for admins, the same jobs again.")
  static final class Retry implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The batch's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      JsonNode answer = act(session, id, "retry");
      if (answer.has("action")) {
        TaskText.printStarted(session, answer);
        session.say("To see how it goes: millrace batches watch " + id);
      } else if (session.format() == Format.TABLE) {
        session.print(ApiJson.text(answer, "id"));
        session.say("To follow it: millrace batches watch " + ApiJson.text(answer, "id"));
      } else {
        session.print(answer);
      }
      return ExitCode.OK;
    }
  }
}
