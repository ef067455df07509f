package dev.millrace.server.jobs;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Usage;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.postgres.records.Jobs;
import dev.millrace.server.catalogue.Resolution;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Takes a request through the gates and to the engine. */
public final class Submission {

  private final Offers offers;
  private final Usage.Limits limits;
  private final Engine engine;
  private final Jobs jobs;

  /**
   * Makes the way in.
   *
   * @param limits what is usual for a user
   */
  public Submission(Offers offers, Usage.Limits limits, Engine engine, Jobs jobs) {
    this.offers = offers;
    this.limits = limits;
    this.engine = engine;
    this.jobs = jobs;
  }

  /** What became of a request. */
  public sealed interface Outcome {

    /** It reached the engine, which decided. */
    record Decided(SubmitJob.Result result) implements Outcome {}

    record UnknownEffect() implements Outcome {}

    record InvalidInput(List<Resolution.InputError> errors) implements Outcome {}
  }

  /** What is wrong with the input, for a request that is refused in any case. */
  public List<Resolution.InputError> mistakes(JobRequest request) {
    return offers
        .find(request.effect())
        .map(offer -> offer.effect().resolve(request.input()))
        .map(resolution ->
            resolution instanceof Resolution.Invalid(var errors)
                ? errors
                : List.<Resolution.InputError>of())
        .orElse(List.of());
  }

  public Outcome submit(int tenant, JobRequest request) throws InterruptedException {
    Optional<Offer> offer = offers.find(request.effect());
    if (offer.isEmpty()) {
      return earlier(tenant, request).orElseGet(Outcome.UnknownEffect::new);
    }
    return switch (offer.get().effect().resolve(request.input())) {
      case Resolution.Invalid(List<Resolution.InputError> errors) ->
          earlier(tenant, request).orElseGet(() -> new Outcome.InvalidInput(errors));
      case Resolution.Resolved(ObjectNode input) ->
          new Outcome.Decided(
              engine.submit(
                  new SubmitJob(
                      UuidCreator.getTimeOrderedEpoch(),
                      new Wallet.Owner(tenant, request.user()),
                      offer.get().terms(),
                      request.priority(),
                      new SubmitJob.Identity(
                          request.idempotencyKey(), Fingerprint.of(request), null),
                      request.runAt(),
                      input.toString(),
                      Changes.Links.NONE,
                      limits,
                      null)));
    };
  }

  /**
   * What became of the same request before. The catalogue may have changed since, and a client that
   * missed its answer must still find its job, not a refusal that hides it.
   */
  private Optional<Outcome> earlier(int tenant, JobRequest request) {
    String key = request.idempotencyKey();
    return Optional.ofNullable(key)
        .flatMap(used -> jobs.findKey(tenant, request.user(), used))
        .map(use -> {
          JobId job = new JobId(tenant, use.id());
          return new Outcome.Decided(
              use.fingerprint().equals(Fingerprint.of(request))
                  ? new SubmitJob.Result.Replayed(job)
                  : new SubmitJob.Result.KeyMismatch(job));
        });
  }
}
