package dev.millrace.server.executor;

import dev.millrace.engine.job.JobId;
import java.util.UUID;

/** One attempt and the token of its lease: what every report about it carries. */
record Turn(JobId job, int attempt, UUID token) {

  String jobId() {
    return job.uuid().toString();
  }
}
