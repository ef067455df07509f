package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Api;
import dev.millrace.cli.api.Json;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.Progress;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Follows a task by asking again and again: tasks have no stream, and last seconds or minutes. */
record TaskWatch(Session session, long jobs) {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  static String path(String id) {
    return "/api/admin/tasks/" + Api.segment(id);
  }

  /** Shows figures until the end, prints the task and returns what its end means. */
  ExitCode seeThrough(String id) throws IOException, InterruptedException {
    String advice = "The task goes on without you. To come back: millrace tasks watch " + id;
    JsonNode task;
    try (OnInterrupt _ = new OnInterrupt(session, advice)) {
      task = follow(id);
    }
    TaskText.print(session, task);
    if (Json.number(task, "failed") > 0) {
      return ExitCode.JOB_FAILED;
    }
    return Json.text(task, "state").equals("stopped") ? ExitCode.CANCELED : ExitCode.OK;
  }

  private JsonNode follow(String id) throws IOException, InterruptedException {
    Api api = session.api();
    JsonNode shown = Json.object();
    try (Progress progress = Progress.of(session)) {
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
