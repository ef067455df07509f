package dev.millrace.service.attempt;

import dev.millrace.engine.job.JobId;
import java.util.UUID;

/** One attempt and the token of its lease: what every report about it carries. */
public record Turn(JobId job, int attempt, UUID token) {

  public String jobId() {
    return job.uuid().toString();
  }
}
