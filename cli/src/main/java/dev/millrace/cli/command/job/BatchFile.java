package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The requests of a batch, read from a file: one JSON array, or one JSON object per line.
 *
 * @param places where each stands, in the words of whoever wrote the file
 */
record BatchFile(ArrayNode jobs, List<String> places) {

  private static final int MOST_JOBS = 1_000;

  BatchFile {
    places = List.copyOf(places);
  }

  /** Reads a file, or standard input for {@code -}. */
  static BatchFile read(String file, InputStream in) throws IOException {
    byte[] bytes = file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
    String text = new String(bytes, StandardCharsets.UTF_8);
    String name = file.equals("-") ? "Standard input" : file;
    BatchFile batch = text.stripLeading().startsWith("[") ? array(name, text) : lines(name, text);
    if (batch.jobs().isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          name + " has no jobs.",
          "one line per job, such as {\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a fox\"}}");
    }
    if (batch.jobs().size() > MOST_JOBS) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s has %,d jobs, and a batch takes %,d at most."
              .formatted(name, batch.jobs().size(), MOST_JOBS),
          "several files, such as split --lines=1000 makes");
    }
    return batch;
  }

  /** The place of a job in the file; a number beyond it, which only a strange server says. */
  String place(long index) {
    return index >= 0 && index < places.size()
        ? places.get(Math.toIntExact(index))
        : "job " + (index + 1);
  }

  private static BatchFile array(String name, String text) {
    JsonNode json = parse(name, text);
    ArrayNode jobs = ApiJson.array();
    List<String> places = new ArrayList<>();
    for (JsonNode job : json) {
      places.add("job " + (places.size() + 1));
      jobs.add(object(name + ", " + places.getLast(), job));
    }
    return new BatchFile(jobs, places);
  }

  private static BatchFile lines(String name, String text) {
    ArrayNode jobs = ApiJson.array();
    List<String> places = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        places.add("line " + (i + 1));
        String where = name + ", " + places.getLast();
        jobs.add(object(where, parse(where, lines.get(i))));
      }
    }
    return new BatchFile(jobs, places);
  }

  private static JsonNode parse(String where, String text) {
    try {
      return ApiJson.parse(text);
    } catch (JacksonException e) {
      throw new CommandFailure(ExitCode.USAGE, where + " is not JSON: " + e.getOriginalMessage());
    }
  }

  /**
   * Only what would make no sense to send; whether a job is acceptable is for the server to say.
   */
  private static JsonNode object(String where, JsonNode job) {
    if (!job.isObject() || ApiJson.text(job, "effect").isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          where + " is no job: it must be an object with effect and input.",
          "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a fox\"}}");
    }
    return job;
  }
}
