package dev.millrace.web.api.job;

import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Asks for a job as the fields of a request or a form say. */
public record Submits(JobSubmission submission) {

  /**
   * What came of it.
   *
   * @param request whose header may have the key
   */
  public JobSubmission.Outcome submit(ObjectNode fields, Request request, Principal principal)
      throws InterruptedException {
    JobRequestReader.Reading reading = JobRequestReader.read(fields, request, principal);
    if (!reading.violations().isEmpty()) {
      throw refused(reading);
    }
    return submission.submit(principal, reading.request());
  }

  /** Everything at once, the input's mistakes too, so that nobody has to come back for the next. */
  private ProblemException refused(JobRequestReader.Reading reading) {
    List<Problem.Violation> all = new ArrayList<>(reading.violations());
    if (all.stream().noneMatch(violation -> violation.path().startsWith("/input"))) {
      all.addAll(SubmitAnswers.violations(submission.mistakes(reading.request())));
    }
    return new ProblemException(Problem.invalid(all));
  }
}
