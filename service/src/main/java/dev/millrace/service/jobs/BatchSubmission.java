package dev.millrace.service.jobs;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes.Labels;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.postgres.jobs.Batches;
import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.JobSubmission.Prepared;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes many requests of one user through the gates and, in one piece, to the engine. */
public final class BatchSubmission {

  /** How many inputs are judged at once; a moderation service is asked over the network. */
  private static final int JUDGED_AT_ONCE = 16;

  private final JobSubmission submission;
  private final Engine engine;
  private final Batches batches;

  public BatchSubmission(JobSubmission submission, Engine engine, Batches batches) {
    this.submission = submission;
    this.engine = engine;
    this.batches = batches;
  }

  /** What became of a batch. */
  public sealed interface Outcome {

    /**
     * Each item was decided, in their order.
     *
     * @param stored whether the batch exists now
     */
    record Decided(UUID batch, boolean stored, List<ItemResult> itemResults) implements Outcome {}

    /** It was sent before, and this is what became of its items then. */
    record Replayed(UUID batch, List<ItemResult> itemResults) implements Outcome {}

    /** The key was used before, for another batch. */
    record KeyMismatch() implements Outcome {}

    /** Whoever asks has not so many jobs left to submit. */
    record UsedUp() implements Outcome {}
  }

  /** What became of one item. */
  public sealed interface ItemResult {

    /** Its form is wrong, so that nobody looked further. */
    record Malformed() implements ItemResult {}

    /** The gates or the catalogue stopped it. */
    record Stopped(JobSubmission.Outcome why) implements ItemResult {}

    /** A gate denied it, and the engine was not asked because others of the batch are wrong. */
    record Denied(SubmitJob.Denial denial) implements ItemResult {}

    /** The engine decided. */
    record Decided(SubmitJob.Result result) implements ItemResult {}

    /** It is a job since an earlier time. */
    record Earlier(Batches.Member job) implements ItemResult {}

    /** It was refused at an earlier time; why is not kept. */
    record RefusedEarlier() implements ItemResult {}
  }

  /** The fingerprint is only compared with others of one user, so it need not name them. */
  public Outcome submit(Principal by, BatchRequest request) throws InterruptedException {
    int tenant = by.tenant();
    Optional<Outcome> earlier = earlier(tenant, request);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    UUID batch = UuidCreator.getTimeOrderedEpoch();
    List<Optional<Prepared>> prepared = prepare(tenant, request, batch);
    List<SubmitJob> commands = commands(prepared);
    boolean whole = commands.size() == request.items().size();
    if (commands.isEmpty() || (request.atomic() && !whole)) {
      return new Outcome.Decided(batch, false, itemResults(prepared, BatchSubmission::unasked));
    }
    SubmitMany command =
        new SubmitMany(
            batch,
            new Wallet.Owner(tenant, request.user()),
            request.key(),
            request.fingerprint(),
            request.atomic(),
            commands);
    SubmitMany.@Nullable Result result =
        submission
            .counted(by, commands, () -> engine.submitMany(command), BatchSubmission::accepted)
            .orElse(null);
    return switch (result) {
      case null -> earlier(tenant, request).orElseGet(Outcome.UsedUp::new);
      case SubmitMany.Result.Decided(_, boolean stored, var results) ->
          new Outcome.Decided(batch, stored, itemResults(prepared, inOrder(results)));
      case SubmitMany.Result.Replayed(UUID before) -> replayed(tenant, request, before);
      case SubmitMany.Result.KeyMismatch(_) -> new Outcome.KeyMismatch();
    };
  }

  private static int accepted(SubmitMany.Result result) {
    return result instanceof SubmitMany.Result.Decided(_, boolean stored, var results) && stored
        ? (int) results.stream().filter(SubmitJob.Result.Accepted.class::isInstance).count()
        : 0;
  }

  private Optional<Outcome> earlier(int tenant, BatchRequest request) {
    return Optional.ofNullable(request.key())
        .flatMap(key -> batches.findKey(tenant, request.user(), key))
        .map(use ->
            use.fingerprint().equals(request.fingerprint())
                ? replayed(tenant, request, use.id())
                : new Outcome.KeyMismatch());
  }

  /** Empty for an item whose form is wrong. */
  private List<Optional<Prepared>> prepare(int tenant, BatchRequest request, UUID batch)
      throws InterruptedException {
    return ParallelCalls.map(
        request.items(),
        JUDGED_AT_ONCE,
        item ->
            item.sound()
                ? Optional.of(submission.prepare(tenant, item.request(), links(item, batch)))
                : Optional.empty());
  }

  private static Links links(BatchRequest.Item item, UUID batch) {
    return new Links(item.retryOf(), null, batch, Labels.NONE);
  }

  /** The ids are given anew in the order of the items, because preparing mixed them up. */
  private static List<SubmitJob> commands(List<Optional<Prepared>> prepared) {
    List<SubmitJob> commands = new ArrayList<>();
    for (Optional<Prepared> one : prepared) {
      if (one.orElse(null) instanceof Prepared.Ready(SubmitJob command, _)) {
        commands.add(named(UuidCreator.getTimeOrderedEpoch(), command));
      }
    }
    return commands;
  }

  /** What the engine was not even asked for, because the batch is all or nothing. */
  private static ItemResult unasked(SubmitJob command) {
    return command.denial() == null
        ? new ItemResult.Decided(new SubmitJob.Result.Withheld())
        : new ItemResult.Denied(command.denial());
  }

  private static Function<SubmitJob, ItemResult> inOrder(List<SubmitJob.Result> results) {
    Deque<SubmitJob.Result> rest = new ArrayDeque<>(results);
    return _ -> new ItemResult.Decided(rest.remove());
  }

  private static List<ItemResult> itemResults(
      List<Optional<Prepared>> prepared, Function<SubmitJob, ItemResult> decision) {
    List<ItemResult> itemResults = new ArrayList<>(prepared.size());
    for (Optional<Prepared> one : prepared) {
      itemResults.add(
          switch (one.orElse(null)) {
            case null -> new ItemResult.Malformed();
            case Prepared.Stopped(var why) -> new ItemResult.Stopped(why);
            case Prepared.Ready(var command, _) -> decision.apply(command);
          });
    }
    return itemResults;
  }

  /**
   * Which item became which job is told by their fingerprints: the jobs are in the order of the
   * items, with those left out that were refused. Of two equal items the first one is taken first,
   * as the engine does.
   */
  private Outcome replayed(int tenant, BatchRequest request, UUID batch) {
    Deque<Batches.Member> jobs = new ArrayDeque<>(batches.members(tenant, batch));
    List<ItemResult> itemResults = new ArrayList<>(request.items().size());
    for (BatchRequest.Item item : request.items()) {
      Batches.Member next = jobs.peek();
      boolean same =
          next != null
              && item.sound()
              && next.fingerprint().equals(Fingerprint.of(item.request(), links(item, batch)));
      itemResults.add(
          same ? new ItemResult.Earlier(jobs.remove()) : new ItemResult.RefusedEarlier());
    }
    return new Outcome.Replayed(batch, itemResults);
  }

  private static SubmitJob named(UUID id, SubmitJob command) {
    return new SubmitJob(
        id,
        command.owner(),
        command.terms(),
        command.identity(),
        new SubmitJob.Request(
            command.input(), command.priority(), command.runAt(), command.links()),
        command.limits(),
        command.denial());
  }
}
