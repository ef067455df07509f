package dev.millrace.web.api.job;

import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks for a job as the fields of a request or a form say.
 *
 * @param dialect the label of the surface that asks, which is written on the job; null for the API
 *     and the console
 */
public record Submits(JobSubmission submission, @Nullable String dialect) {

  public Submits(JobSubmission submission) {
    this(submission, null);
  }

  /**
   * What came of it.
   *
   * @param request whose header may have the key
   */
  public JobSubmission.Outcome submit(ObjectNode fields, Request request, Principal principal)
      throws InterruptedException {
    return submit(fields, request, principal, JobNotes.Wishes.NONE);
  }

  /** The same for a job with wishes of its own. */
  public JobSubmission.Outcome submit(
      ObjectNode fields, Request request, Principal principal, JobNotes.Wishes wishes)
      throws InterruptedException {
    JobRequestReader.Reading reading = JobRequestReader.read(fields, request, principal);
    if (!reading.violations().isEmpty()) {
      throw refused(reading);
    }
    JobRequest wanted = reading.request().with(wishes);
    return submission.submit(principal, dialect == null ? wanted : wanted.through(dialect));
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
