package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.FileDownload;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.OutputTargets;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Clip;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The end of a wait: downloads what was made, and prints the receipt. */
final class OutputDelivery {

  private final Session session;
  private final ServerApi api;
  private final Optional<OutputTargets> targets;
  private final boolean printsResult;

  OutputDelivery(Session session, Optional<OutputTargets> targets, boolean printsResult)
      throws IOException {
    this.session = session;
    this.api = session.api();
    this.targets = targets;
    this.printsResult = printsResult;
  }

  /** Delivers and returns what the job's end means as an exit code. */
  ExitCode deliver(ApiJob job) throws IOException, InterruptedException {
    JsonNode receipt = api.getPatiently(ApiJob.path(job.id()) + "/receipt");
    explain(job);
    List<Path> saved = List.of();
    try {
      saved = save(job);
    } finally {
      // The credits are gone in any case, so the receipt is due even if the disk was full.
      if (printsResult) {
        print(job, receipt, saved);
      }
    }
    return ExitCode.ofJobState(job.state());
  }

  private List<Path> save(ApiJob job) throws IOException, InterruptedException {
    List<JsonNode> outputs = job.outputs();
    if (targets.isEmpty() || !job.state().equals("completed")) {
      return List.of();
    }
    try {
      List<Path> paths = targets.get().plan(outputs);
      for (int i = 0; i < paths.size(); i++) {
        new FileDownload(api).fetch(outputs.get(i), paths.get(i));
      }
      return paths;
    } catch (CommandFailure failure) {
      throw new CommandFailure(
          failure.exit(),
          failure.getMessage() + " The job is done and paid for.",
          "millrace jobs watch " + job.id() + " -o ANOTHER_NAME");
    }
  }

  private void explain(ApiJob job) {
    JsonNode error = job.json().path("error");
    if (job.state().equals("waiting_review")) {
      session.say("A reviewer decides next. To come back: millrace jobs watch " + job.id());
    } else if (!ApiJson.text(error, "message").isEmpty()) {
      session.say(
          "The job is %s: %s"
              .formatted(
                  job.state().replace('_', ' '), Clip.plain(ApiJson.text(error, "message"))));
    }
  }

  private void print(ApiJob job, JsonNode receipt, List<Path> saved) {
    if (session.format() == Format.TABLE) {
      Receipt.lines(job, receipt, saved, session.outStyle()).forEach(session::print);
      return;
    }
    ArrayNode files = ApiJson.array();
    saved.forEach(path -> files.add(path.toString()));
    ObjectNode result = ApiJson.object();
    result.set("job", job.json());
    result.set("receipt", receipt);
    result.set("files", files);
    session.print(result);
  }
}
