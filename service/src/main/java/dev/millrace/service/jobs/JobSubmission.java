package dev.millrace.service.jobs;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lane.LaneFull;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes.Labels;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.files.StorageUse;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.service.files.OwnFiles;
import dev.millrace.service.files.StorageQuota;
import dev.millrace.service.guard.Gate;
import dev.millrace.service.guard.GateRequest;
import dev.millrace.service.guard.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Takes a request through the gates and to the engine. */
public final class JobSubmission {

  /** Within this time a second wish to do a job again is the same wish. */
  private static final Duration TWO_CLICKS = Duration.ofSeconds(10);

  private final Offers offers;
  private final OwnFiles files;
  private final Gate gate;
  private final IntFunction<QuotaUse.Limits> limits;
  private final StorageQuota storage;
  private final Engine engine;
  private final Jobs jobs;
  private final JobAllowance allowance;

  /**
   * Makes the way in.
   *
   * @param limits what is usual for a user of a tenant
   * @param allowance how many jobs may be submitted where that is counted
   */
  public JobSubmission(
      Offers offers,
      OwnFiles files,
      Gate gate,
      IntFunction<QuotaUse.Limits> limits,
      StorageQuota storage,
      Engine engine,
      Jobs jobs,
      JobAllowance allowance) {
    this.offers = offers;
    this.files = files;
    this.gate = gate;
    this.limits = limits;
    this.storage = storage;
    this.engine = engine;
    this.jobs = jobs;
    this.allowance = allowance;
  }

  /** What became of a request. */
  public sealed interface Outcome {

    /** It is a job now. */
    record Accepted(JobView job) implements Outcome {}

    /** It reached the engine, which decided. */
    record Decided(SubmitJob.Result result) implements Outcome {}

    record UnknownEffect() implements Outcome {}

    /** Whoever asks has no job left to submit. */
    record UsedUp() implements Outcome {}

    record InvalidInput(List<Resolution.InputError> errors) implements Outcome {}

    /** The tenant of the user has stored as much as it may. */
    record TenantFull(StorageUse.Full full) implements Outcome {}

    /** A gate can't tell now; the same request may be sent again. */
    record Undecided(Duration retryAfter) implements Outcome {}
  }

  /** A request that went through the gates, or what stopped it. */
  public sealed interface Prepared {

    record Ready(SubmitJob command, Offer offer) implements Prepared {}

    record Stopped(Outcome outcome) implements Prepared {}
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

  public Outcome submit(Principal by, JobRequest request) throws InterruptedException {
    return submit(by, request, Links.NONE);
  }

  /** Submits what comes from somewhere, such as a job that it does again. */
  public Outcome submit(Principal by, JobRequest request, Links links) throws InterruptedException {
    return submit(by, request, links, Summary.EMPTY);
  }

  /** Submits a job that begins with a summary. */
  Outcome submit(Principal by, JobRequest request, Links links, Summary summary)
      throws InterruptedException {
    int tenant = by.tenant();
    if (allowance.counts(by)) {
      Optional<Outcome> earlier = earlier(tenant, request, links);
      if (earlier.isPresent()) {
        return earlier.get();
      }
    }
    return switch (prepare(tenant, request, links)) {
      case Prepared.Ready(SubmitJob ready, Offer offer) -> {
        SubmitJob command = ready.beginningWith(summary);
        yield counted(by, List.of(command), () -> engine.submit(command), JobSubmission::accepted)
            .map(result -> decided(command, offer, result))
            .or(() -> earlier(tenant, request, links))
            .orElseGet(Outcome.UsedUp::new);
      }
      case Prepared.Stopped(Outcome outcome) -> earlier(tenant, request, links).orElse(outcome);
    };
  }

  private static int accepted(SubmitJob.Result result) {
    return result instanceof SubmitJob.Result.Accepted ? 1 : 0;
  }

  /** What asks the engine. */
  interface Asking<R> {
    R ask() throws InterruptedException;
  }

  /**
   * The engine's result, with the jobs counted that it accepts; empty if whoever asks has not so
   * many left. Where nobody knows what the engine did, they stay counted.
   */
  <R> Optional<R> counted(
      Principal by, List<SubmitJob> commands, Asking<R> asking, ToIntFunction<R> accepted)
      throws InterruptedException {
    // What a gate denied is stored as blocked, and never accepted.
    int most = (int) commands.stream().filter(command -> command.denial() == null).count();
    if (!allowance.take(by, most)) {
      return Optional.empty();
    }
    try {
      R result = asking.ask();
      allowance.giveBack(by, most - accepted.applyAsInt(result));
      return Optional.of(result);
    } catch (LaneFull | Store.Unavailable e) {
      allowance.giveBack(by, most);
      throw e;
    }
  }

  private static Outcome decided(SubmitJob command, Offer offer, SubmitJob.Result result) {
    return result instanceof SubmitJob.Result.Accepted(Job job)
        ? new Outcome.Accepted(NewJobs.view(command, job, offer.effect()))
        : new Outcome.Decided(result);
  }

  /** Everything but the engine: the effect, the input, and what the gates say. */
  public Prepared prepare(int tenant, JobRequest request, Links links) throws InterruptedException {
    Optional<Offer> offer = offers.find(request.effect());
    if (offer.isEmpty()) {
      return new Prepared.Stopped(new Outcome.UnknownEffect());
    }
    return switch (offer.get().effect().resolve(request.input())) {
      case Resolution.Invalid(List<Resolution.InputError> errors) ->
          new Prepared.Stopped(new Outcome.InvalidInput(errors));
      case Resolution.Resolved(ObjectNode input) -> {
        List<Resolution.InputError> errors =
            files.mistakes(tenant, request.user(), offer.get().effect(), input);
        yield errors.isEmpty()
            ? judge(tenant, request, links, offer.get(), input)
            : new Prepared.Stopped(new Outcome.InvalidInput(errors));
      }
    };
  }

  private Prepared judge(int tenant, JobRequest request, Links links, Offer offer, ObjectNode input)
      throws InterruptedException {
    Verdict verdict = gate.check(new GateRequest(tenant, request.user(), request.effect(), input));
    return switch (verdict) {
      case Verdict.Unavailable(Duration retryAfter) ->
          new Prepared.Stopped(new Outcome.Undecided(retryAfter));
      case Verdict.Denied denied when denied.tooLong() ->
          new Prepared.Stopped(
              new Outcome.InvalidInput(
                  List.of(new Resolution.InputError("/input", denied.message()))));
      case Verdict.Pass() ->
          storage
              .tenantFull(tenant)
              .<Prepared>map(full -> new Prepared.Stopped(new Outcome.TenantFull(full)))
              .orElseGet(() ->
                  new Prepared.Ready(command(tenant, request, links, offer, input, null), offer));
      case Verdict.Denied(String category, String message) ->
          new Prepared.Ready(
              command(
                  tenant, request, links, offer, input, new SubmitJob.Denial(category, message)),
              offer);
    };
  }

  private SubmitJob command(
      int tenant,
      JobRequest request,
      Links links,
      Offer offer,
      ObjectNode input,
      SubmitJob.@Nullable Denial denial) {
    return new SubmitJob(
        UuidCreator.getTimeOrderedEpoch(),
        new Wallet.Owner(tenant, request.user()),
        offer.termsFor(input),
        new SubmitJob.Identity(
            request.idempotencyKey(),
            Fingerprint.of(request, links),
            window(request, links, offer)),
        new SubmitJob.Request(
            input.toString(),
            request.priority(),
            request.runAt(),
            links.with(new Labels(request.workspace(), request.notes().stored()))),
        limits.apply(tenant),
        denial);
  }

  /** A key of the user's own says more: a request that has one is never taken for another. */
  private static @Nullable Duration window(JobRequest request, Links links, Offer offer) {
    if (request.idempotencyKey() != null) {
      return null;
    }
    return links.retryOf() == null ? offer.effect().dedupe() : TWO_CLICKS;
  }

  /**
   * What became of the same request before. The catalogue may have changed since, and a client that
   * missed its answer must still find its job, not a refusal that hides it.
   */
  public Optional<Outcome> earlier(int tenant, JobRequest request, Links links) {
    String key = request.idempotencyKey();
    return Optional.ofNullable(key)
        .flatMap(used -> jobs.findKey(tenant, request.user(), used))
        .map(use -> {
          JobId job = new JobId(tenant, use.id());
          return new Outcome.Decided(
              use.fingerprint().equals(Fingerprint.of(request, links))
                  ? new SubmitJob.Result.Replayed(job)
                  : new SubmitJob.Result.KeyMismatch(job));
        });
  }
}
