package dev.millrace.worker.command;

import dev.millrace.spi.MediaTypes;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.log.Clean;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What a program says on its standard output, line by line, and what follows from it. */
final class Lines {

  private static final int LONGEST = Produced.MAX_TEXT_BYTES * 7;
  private static final int MOST_OUTPUTS = 100;

  private final JobContext job;
  private final Path out;
  private final Map<Path, String> named = new LinkedHashMap<>();
  private final List<Produced> texts = new ArrayList<>();
  private final AtomicLong heard = new AtomicLong();
  private Optional<JobFailure> failure = Optional.empty();

  Lines(JobContext job, Path out) {
    this.job = job;
    this.out = out;
  }

  /** Reads to the end. Lines that are no JSON object, or endless, are chatter. */
  synchronized void read(Process process) {
    try (InputStream in = new BufferedInputStream(process.getInputStream())) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        heard.incrementAndGet();
        if (b == '\n') {
          line(line.toByteArray());
          line.reset();
        } else if (line.size() <= LONGEST) {
          line.write(b);
        }
      }
      line(line.toByteArray());
    } catch (IOException _) {
      // The process was ended.
    }
  }

  /** How many bytes it has said until now. */
  long heard() {
    return heard.get();
  }

  private void line(byte[] bytes) {
    boolean object = bytes.length > 1 && bytes.length <= LONGEST && bytes[0] == '{';
    JsonNode json = object ? AnswerJson.read(bytes) : AnswerJson.object();
    if (json.path("progress").isNumber()) {
      job.progress(
          (int) Math.round(json.path("progress").asDouble(0)),
          json.path("step").asString("running"),
          json.path("message").asString(""));
    }
    AnswerJson.map(json.path("summary")).forEach(job::summary);
    if (json.path("output").isString()) {
      String name = json.path("output").asString("");
      Path file = out.resolve(name).normalize();
      named.put(file, MediaTypes.of(json.path("media_type").asString(""), name));
    }
    if (json.path("text").isString() && texts.size() < MOST_OUTPUTS) {
      text(json.path("text").asString(""), json.path("media_type").asString("text/plain"));
    }
    if (json.path("error").isString()) {
      failure = Optional.of(failure(json));
    }
  }

  private void text(String text, String mediaType) {
    try {
      texts.add(new Produced.Text(text, mediaType));
    } catch (IllegalArgumentException e) {
      failure = Optional.of(JobFailure.permanent(Clean.text(e.getMessage())));
    }
  }

  private static JobFailure failure(JsonNode json) {
    String message = Clean.text(json.path("error").asString(""));
    return switch (json.path("class").asString("retryable")) {
      case "permanent" -> JobFailure.permanent(message);
      case "safety" -> JobFailure.safety(message);
      default -> {
        long wait = json.path("retry_after_seconds").asLong(0);
        yield wait > 0
            ? JobFailure.retryable(message, Duration.ofSeconds(wait))
            : JobFailure.retryable(message);
      }
    };
  }

  /** How the attempt ended, once the process has. */
  synchronized List<Produced> verdict(int exit) throws JobFailure, IOException {
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (exit == CommandExecutor.EXIT_BAD_INPUT) {
      throw JobFailure.permanent("the command can't use this input");
    }
    if (exit != 0) {
      throw JobFailure.retryable("the command ended with exit code " + exit);
    }
    List<Produced> made = new ArrayList<>(texts);
    for (Map.Entry<Path, String> file : (named.isEmpty() ? found() : named).entrySet()) {
      made.add(stored(file.getKey(), file.getValue()));
    }
    if (made.isEmpty()) {
      throw JobFailure.permanent("the command ended without an output");
    }
    if (made.size() > MOST_OUTPUTS) {
      throw JobFailure.permanent("the command made more than " + MOST_OUTPUTS + " outputs");
    }
    return made;
  }

  /** A file that the program made in its folder, and not a link to something else. */
  private Produced stored(Path file, String mediaType) throws JobFailure, IOException {
    boolean inside = file.startsWith(out) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    if (!inside || !file.toRealPath().startsWith(out.toRealPath())) {
      throw JobFailure.permanent(
          "the output '" + Clean.text(String.valueOf(file.getFileName())) + "' isn't there");
    }
    if (Files.size(file) > job.maxOutputBytes()) {
      throw JobFailure.permanent("an output is larger than " + job.maxOutputBytes() + " bytes");
    }
    return new Produced.Stored(file, mediaType);
  }

  private Map<Path, String> found() throws IOException {
    Map<Path, String> files = new LinkedHashMap<>();
    try (Stream<Path> walk = Files.walk(out)) {
      walk.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .limit(MOST_OUTPUTS + 1L)
          .forEach(file -> files.put(file, MediaTypes.ofName(file.toString())));
    }
    return files;
  }
}
