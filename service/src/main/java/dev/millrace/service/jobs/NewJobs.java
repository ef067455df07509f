package dev.millrace.service.jobs;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.catalogue.Effect;

/** Jobs that were just made, as a look into the database would show them. */
final class NewJobs {

  private NewJobs() {}

  static JobView view(SubmitJob command, Job job, Effect effect) {
    Links links = command.links();
    return new JobView(
        job.id().uuid(),
        job.state(),
        new JobView.Request(
            job.id().tenant(),
            command.owner().user(),
            effect.slug(),
            job.terms().workflowId(),
            effect.workflow().slug(),
            job.terms().priority(),
            command.input()),
        new JobView.Report(
            job.progress().percent(),
            job.progress().step(),
            job.progress().message(),
            null,
            job.events()),
        new JobView.Tries(
            job.tries().attempts(),
            job.tries().failures(),
            job.tries().interruptions(),
            null,
            null),
        credits(job),
        new JobView.Times(
            job.times().createdAt(),
            job.times().dueAt(),
            job.times().startedAt(),
            job.times().finishedAt(),
            job.times().deadlineAt(),
            null),
        new JobView.Links(
            links.retryOf(),
            links.follows(),
            null,
            links.batch(),
            links.labels().workspace(),
            links.labels().notes()));
  }

  private static JobView.Credits credits(Job job) {
    Price price = job.terms().rules().price();
    return new JobView.Credits(
        job.hold().amount(),
        job.hold().open(),
        job.hold().captured(),
        price.unit().label(),
        price.rate(),
        job.delivered());
  }
}
