package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Effects;
import dev.millrace.cli.command.shared.Inputs;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.OutputTargets;
import dev.millrace.cli.command.shared.UploadProgress;
import dev.millrace.cli.command.shared.WaitOptions;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.Complaint;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "run",
    sortOptions = false,
    description = "Submit a job; with --wait, see it through and download what it made.",
    footer = {
      "%nExample:",
      "  millrace run sketch/poster -i prompt=\"a red fox\" --wait -o fox.png",
      "The exit codes are listed by millrace --help."
    })
public final class RunCommand implements CommandAction {

  @Parameters(paramLabel = "EFFECT", description = "Such as sketch/poster; see millrace effects.")
  private String effect = "";

  @Option(
      names = {"-i", "--input"},
      paramLabel = "NAME=VALUE",
      description =
          "An input. @FILE reads the value from a file, or uploads it if the input is a file;"
              + " @@ stands for @."
              + " Repeat it for each item of a list.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--input-json",
      paramLabel = "FILE",
      description = "The whole input as JSON, - for standard input; -i wins over it.")
  private @Nullable String inputJson;

  @Option(names = "--wait", description = "Wait for the end and show progress; -o implies it.")
  private boolean wait;

  @Mixin private WaitOptions waiting = new WaitOptions();

  @Option(names = "--user", paramLabel = "USER", description = "On whose behalf.")
  private @Nullable String user;

  @Option(names = "--priority", paramLabel = "N", description = "-100 to 100 (default 0).")
  private @Nullable Integer priority;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Makes one job per key, however often it is sent (default: a new one).")
  private @Nullable String idempotencyKey;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    waiting.targets().ifPresent(OutputTargets::check);
    ObjectNode request = request(session);
    String key = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
    try (OnInterrupt onInterrupt = new OnInterrupt(session, unsureAdvice(key))) {
      ApiJob job = submit(session.api(), request, key);
      onInterrupt.advise(goesOnAdvice(job.id()));
      if (!wait && waiting.targets().isEmpty()) {
        return printSubmitted(session, job);
      }
      session.say("Job " + job.id());
      return JobsCommand.seeThrough(session, job.id(), waiting, false);
    }
  }

  static String goesOnAdvice(String id) {
    return "The job goes on without you. To come back: millrace jobs watch " + id;
  }

  private static String unsureAdvice(String key) {
    return "The job may have been submitted. To find out without paying twice, run the same with"
        + " --idempotency-key "
        + key;
  }

  private ObjectNode request(Session session) throws IOException, InterruptedException {
    JsonNode schema = Effects.find(session.api(), effect).path("input_schema");
    Inputs reader = new Inputs(schema, session.surroundings().in(), file -> bring(session, file));
    ObjectNode base = inputJson == null ? ApiJson.object() : reader.readObject(inputJson);
    ObjectNode request = ApiJson.object().put("effect", effect);
    request.set("input", reader.convert(base, inputs));
    if (user != null) {
      request.put("user", user);
    }
    if (priority != null) {
      request.put("priority", priority);
    }
    return request;
  }

  private String bring(Session session, Path file) throws IOException, InterruptedException {
    session.say("Uploading " + file.getFileName());
    return ApiJson.text(UploadProgress.bring(session, file, null, user), "id");
  }

  private ApiJob submit(ServerApi api, ObjectNode request, String key) throws InterruptedException {
    try {
      return new ApiJob(api.postOnce("/api/jobs", request, key));
    } catch (RefusedException refused) {
      if (refused.problem().code().equals("insufficient_credits")) {
        throw Complaint.notEnoughCredits(refused.problem(), user == null ? "default" : user);
      }
      throw refused;
    }
  }

  /** The bare id is what a script wants to keep. */
  private static ExitCode printSubmitted(Session session, ApiJob job) {
    if (session.format() == Format.TABLE) {
      session.print(job.id());
      session.say("To follow it: millrace jobs watch " + job.id());
    } else {
      session.print(job.json());
    }
    return job.isSettled() ? ExitCode.ofJobState(job.state()) : ExitCode.OK;
  }
}
