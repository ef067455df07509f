package dev.millrace.service.jobs;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.service.catalogue.Effect;
import tools.jackson.databind.node.ObjectNode;

/**
 * An effect on offer, with what the engine needs to know about its jobs.
 *
 * @param terms with the price of one unit; a job's own depend on its input
 */
public record Offer(Effect effect, SubmitJob.Terms terms) {

  /** The terms of a job with this resolved input. */
  public SubmitJob.Terms termsFor(ObjectNode input) {
    return new SubmitJob.Terms(
        terms.effectId(),
        terms.workflowId(),
        effect.holdFor(input),
        terms.maxFailures(),
        terms.maxInterruptions(),
        terms.runSeconds(),
        terms.queueSeconds(),
        terms.rules());
  }
}
