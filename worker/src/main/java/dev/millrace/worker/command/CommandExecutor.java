package dev.millrace.worker.command;

import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.Executor;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.files.WorkFolder;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.settings.WorkerSettings;
import dev.millrace.worker.stall.StallBound;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs a program once per job. */
public final class CommandExecutor implements Executor {

  public static final String NAME = "command";

  /** What sysexits.h calls bad data: the program says that this input can't succeed. */
  static final int EXIT_BAD_INPUT = 65;

  private static final long WATCH_MILLIS = 500;

  private final WorkerSettings.Command settings;

  public CommandExecutor(WorkerSettings.Command settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** A program that isn't there any more can't be helped by the job's next attempt. */
  @Override
  public Optional<String> trouble() {
    return Program.isThere(settings.words().getFirst())
        ? Optional.empty()
        : Optional.of("has no program that can be started");
  }

  @Override
  public boolean ready() {
    return trouble().isEmpty();
  }

  @Override
  public List<Produced> handle(JobContext job, Map<String, Object> input)
      throws JobFailure, JobStopped, InterruptedException {
    job.note().ifPresent(ProcessTree::killFormer);
    if (!ready()) {
      throw JobFailure.interrupted("the command can't be started");
    }
    try {
      Path out = Files.createDirectories(job.folder().resolve("out"));
      Path temp = Files.createDirectories(job.folder().resolve("tmp"));
      byte[] request = AnswerJson.write(request(job, input, out));
      ProcessTree tree = start(job, temp);
      try {
        job.note(tree.note());
        Thread writer = Thread.ofVirtual().name("stdin").start(() -> write(tree, request));
        Lines lines = new Lines(job, out);
        Thread reader = Thread.ofVirtual().name("stdout").start(() -> lines.read(tree.process()));
        int exit = await(tree, job, out, lines);
        // Whatever it left running could hold the pipe open for ever.
        tree.kill();
        reader.join();
        writer.join();
        return lines.verdict(exit);
      } finally {
        tree.kill();
      }
    } catch (IOException e) {
      throw JobFailure.retryable("the command can't be run");
    }
  }

  private ProcessTree start(JobContext job, Path temp) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(ProcessTree.inAGroupOfItsOwn(settings.words()))
            .directory(job.folder().toFile())
            .redirectError(
                settings.inheritStderr()
                    ? ProcessBuilder.Redirect.INHERIT
                    : ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeAll(WorkerSettings.names());
    environment.put("TMPDIR", temp.toString());
    return new ProcessTree(builder.start(), settings.kill());
  }

  /** What the program reads. */
  private static ObjectNode request(JobContext job, Map<String, Object> input, Path out)
      throws JobFailure, JobStopped, InterruptedException {
    ObjectNode json =
        AnswerJson.object()
            .put("job_id", job.jobId())
            .put("attempt", job.attempt())
            .put("attempt_id", job.attemptId().toString())
            .put("workflow", job.workflow())
            .put("workflow_version", job.workflowVersion())
            .put("effect", job.effect());
    json.set("input", AnswerJson.tree(input));
    job.template().ifPresent(template -> json.set("template", AnswerJson.tree(template)));
    ArrayNode files = json.putArray("files");
    for (Asset asset : job.assets()) {
      Path file = job.fetch(asset);
      files
          .addObject()
          .put("name", asset.name())
          .put("file_id", asset.fileId())
          .put("path", file.toString())
          .put("media_type", asset.mediaType())
          .put("size", asset.size())
          .put("sha256", asset.sha256());
    }
    return json.put("output_dir", out.toString());
  }

  /** A program need not read what it is given. */
  private static void write(ProcessTree tree, byte[] request) {
    try (OutputStream stdin = tree.process().getOutputStream()) {
      stdin.write(request);
    } catch (IOException _) {
      // It has closed its standard input, or ended.
    }
  }

  private int await(ProcessTree tree, JobContext job, Path out, Lines lines)
      throws JobFailure, JobStopped, InterruptedException, IOException {
    long most = job.maxOutputBytes();
    Motion motion =
        new Motion(
            Optional.of(settings.stall())
                .filter(Duration::isPositive)
                .map(stall -> new StallBound(stall, job)));
    while (!tree.process().waitFor(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
      job.check();
      long written = WorkFolder.size(job.folder());
      if (written > most && WorkFolder.size(out) > most) {
        throw JobFailure.permanent("the command's output is larger than " + most + " bytes");
      }
      if (motion.stopped(tree.process().toHandle(), lines.heard(), written)) {
        throw JobFailure.retryable(
            "the command made no progress for " + motion.idle().toSeconds() + " seconds");
      }
    }
    return tree.process().exitValue();
  }
}
