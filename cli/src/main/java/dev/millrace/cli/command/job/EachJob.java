package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.Complaint;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The same step for each of several jobs. One that is refused does not keep the others from theirs;
 * the exit code is that of the first refusal.
 *
 * @param line what a table shows of an answer
 */
record EachJob(Session session, Function<JsonNode, String> line) {

  /** What is done to one job. */
  @FunctionalInterface
  interface Step {
    JsonNode take(String id) throws IOException, InterruptedException;
  }

  ExitCode run(List<String> ids, Step step) throws IOException, InterruptedException {
    ArrayNode done = ApiJson.array();
    ExitCode exit = ExitCode.OK;
    try {
      for (String id : ids) {
        ExitCode one = run(id, ids.size() > 1, step, done);
        exit = exit == ExitCode.OK ? one : exit;
      }
    } finally {
      // What was done is told even if the connection broke before the rest.
      ObjectNode page = ApiJson.object();
      page.set("items", done);
      switch (session.format()) {
        case JSON -> session.print(page);
        case JSONL -> done.forEach(session::print);
        case TABLE -> done.forEach(answer -> session.print(line.apply(answer)));
      }
    }
    return exit;
  }

  private ExitCode run(String id, boolean oneOfSeveral, Step step, ArrayNode done)
      throws IOException, InterruptedException {
    try {
      done.add(step.take(id));
      return ExitCode.OK;
    } catch (RefusedException | CommandFailure refusal) {
      Complaint complaint = Complaint.of(refusal);
      String sentence =
          oneOfSeveral && !complaint.sentence().contains(id)
              ? id + ": " + complaint.sentence()
              : complaint.sentence();
      new Complaint(complaint.exit(), sentence, complaint.details(), complaint.hint())
          .print(session.surroundings().err(), session.errStyle());
      return complaint.exit();
    }
  }
}
