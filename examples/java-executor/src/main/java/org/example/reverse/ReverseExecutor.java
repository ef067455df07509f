package org.example.reverse;

import dev.millrace.spi.executor.Executor;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Turns the text of a job around and stores it as a file. */
public final class ReverseExecutor implements Executor {

  @Override
  public String name() {
    return "reverse";
  }

  @Override
  public List<Produced> handle(JobContext job, Map<String, Object> input)
      throws JobFailure, JobStopped, InterruptedException {
    if (!(input.get("text") instanceof String text) || text.isEmpty()) {
      throw JobFailure.permanent("the text is missing");
    }
    StringBuilder reversed = new StringBuilder();
    for (int i = text.length() - 1; i >= 0; i--) {
      // Long work looks now and then whether it is still wanted.
      job.check();
      reversed.append(text.charAt(i));
    }
    job.progress(90, "writing", "Writing the result");
    try {
      Path file = Files.writeString(job.folder().resolve("reversed.txt"), reversed);
      return List.of(new Produced.Stored(file, "text/plain"));
    } catch (IOException e) {
      throw JobFailure.retryable("the result can't be written");
    }
  }
}
