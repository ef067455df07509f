package dev.millrace.service.jobs;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.catalogue.Effect;

/** Jobs that were just made, as a look into the database would show them. */
final class NewJobs {

  private NewJobs() {}

  static JobView view(SubmitJob command, Job job, Effect effect) {
    Links links = command.links();
    return new JobView(
        job.id().tenant(),
        job.id().uuid(),
        effect.slug(),
        job.terms().workflowId(),
        effect.workflow().slug(),
        command.owner().user(),
        job.state().label(),
        job.progress().percent(),
        job.progress().step(),
        job.progress().message(),
        null,
        job.terms().priority(),
        job.tries().attempts(),
        job.tries().failures(),
        job.tries().interruptions(),
        job.hold().amount(),
        job.hold().open(),
        job.hold().captured(),
        job.terms().rules().price().unit().label(),
        job.terms().rules().price().rate(),
        job.delivered(),
        null,
        null,
        command.input(),
        job.times().createdAt(),
        job.times().dueAt(),
        job.times().startedAt(),
        job.times().finishedAt(),
        job.times().deadlineAt(),
        links.retryOf(),
        links.follows(),
        null,
        links.batch(),
        null,
        job.events());
  }
}
