package dev.millrace.service.requests;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.requests.RequestListView;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.service.jobs.JobSubmission;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** What the lines of a list mean in a dialect, and how their answers look. */
public interface RequestLines {

  /** What a line's request is. */
  sealed interface Reading {

    record Wanted(JobRequest request) implements Reading {}

    record Refused(Answer answer) implements Reading {}
  }

  /** What the client would have been told. */
  record Answer(int status, ObjectNode body) {}

  /**
   * Reads a request.
   *
   * @param key by which the job is found again
   */
  Reading read(RequestListView list, ObjectNode body, String key);

  Answer refused(JobSubmission.Outcome outcome);

  /** The answer of a job that has ended. */
  Answer ended(RequestListView list, JobView job, List<FileView> outputs);

  /** What is written on the files that come of a list, a JSON object. */
  String notes(String fileName, boolean errors);
}
