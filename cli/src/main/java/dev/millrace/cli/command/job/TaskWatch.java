package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.ProgressDisplay;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Follows a task by asking again and again: tasks have no stream, and last seconds or minutes. */
record TaskWatch(Session session, long jobs) {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  static String path(String id) {
    return "/api/admin/tasks/" + ServerApi.segment(id);
  }

  /** Shows figures until the end, prints the task and returns what its end means. */
  ExitCode seeThrough(String id) throws IOException, InterruptedException {
    String advice = "The task goes on without you. To come back: millrace tasks watch " + id;
    JsonNode task;
    try (OnInterrupt _ = new OnInterrupt(session, advice)) {
      task = follow(id);
    }
    TaskText.print(session, task);
    if (ApiJson.number(task, "failed") > 0) {
      return ExitCode.JOB_FAILED;
    }
    return ApiJson.text(task, "state").equals("stopped") ? ExitCode.CANCELED : ExitCode.OK;
  }

  private JsonNode follow(String id) throws IOException, InterruptedException {
    ServerApi api = session.api();
    JsonNode shown = ApiJson.object();
    try (ProgressDisplay progress = ProgressDisplay.of(session)) {
      while (true) {
        JsonNode task = api.getPatiently(path(id));
        JsonNode now = TaskText.progress(task, jobs);
        if (now.equals(shown)) {
          progress.tick();
        } else {
          progress.event(now);
        }
        if (TaskText.isOver(task)) {
          return task;
        }
        shown = now;
        session.surroundings().pause().sleep(PAUSE);
      }
    }
  }
}
