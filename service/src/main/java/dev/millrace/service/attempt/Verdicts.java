package dev.millrace.service.attempt;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.port.Callback;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Usage;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.output.OutputRefused;
import dev.millrace.storage.output.Outputs;
import dev.millrace.storage.output.StoredOutput;
import dev.millrace.storage.picture.PictureBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a provider's outcome into the report that the engine understands. */
public final class Verdicts {

  /** What an attempt ends with that its provider did not take. */
  public static final String NOT_TAKEN = "The provider did not take it.";

  /** How the message begins with which an attempt ends whose result is there and can't be used. */
  public static final String UNUSED = "Refused: ";

  private static final Logger LOG = LoggerFactory.getLogger(Verdicts.class);
  private static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);

  /** As many as a reviewer can name in one request. */
  private static final int MOST_OUTPUTS = 1_000;

  private final Outputs outputs;
  private final ProviderOutputs fetch;
  private final IntFunction<String> tenantSlug;
  private final DoubleSupplier jitter;

  public Verdicts(
      Outputs outputs,
      ProviderOutputs fetch,
      IntFunction<String> tenantSlug,
      DoubleSupplier jitter) {
    this.outputs = outputs;
    this.fetch = fetch;
    this.tenantSlug = tenantSlug;
    this.jitter = jitter;
  }

  /** What is to be reported, and the files that exist because of it. */
  public record Verdict(Report.Deciding report, List<StoredOutput> stored) {}

  /**
   * What a service said at the end.
   *
   * @param cause the callback that said so, or null
   * @param provider who says so; null where it makes no difference
   */
  public record Ending(
      Outcome outcome, Usage usage, Callback.@Nullable Id cause, @Nullable String provider) {
    public static Ending of(Outcome outcome) {
      return of(outcome, null);
    }

    public static Ending of(Outcome outcome, @Nullable String provider) {
      return new Ending(outcome, Usage.none(), null, provider);
    }
  }

  /**
   * A result exists, and could not be taken now: its output can't be read or fetched, or the object
   * store is away. That is no failure of the work, and no reason to have it made again.
   */
  public static final class Postponed extends Exception {
    /** What can't be had. */
    private enum Gap {
      PASSING,
      UNREADABLE,
      ABSENT
    }

    private final Gap gap;

    private Postponed(String message, @Nullable Throwable cause) {
      this(message, cause, Gap.PASSING);
    }

    private Postponed(String message, @Nullable Throwable cause, Gap gap) {
      super(message, cause);
      this.gap = gap;
    }

    /** Whether the provider's own code failed to write it, and not our store to take it. */
    public boolean unreadable() {
      return gap == Gap.UNREADABLE;
    }

    /** Whether nothing is at its address, which may pass, or not. */
    public boolean absent() {
      return gap == Gap.ABSENT;
    }
  }

  /**
   * Judges how an attempt ended, and stores its outputs.
   *
   * @throws Postponed if there is a result that can't be taken now, but perhaps later
   * @throws IllegalArgumentException for work that stopped because it was asked to: the caller
   *     knows who asked
   */
  public Verdict judge(Turn turn, Ending ending) throws Postponed {
    return judged(turn, ending, FetchBound.usual());
  }

  /**
   * The same for work of a service, whose outputs are fetched no longer than this.
   *
   * @throws Postponed as above, if they could not be fetched in that time, and if the provider's
   *     code breaks down over them, in whatever way: the service can be asked for them again
   */
  public Verdict judge(Turn turn, Ending ending, FetchBound bound) throws Postponed {
    try {
      return judged(turn, ending, bound);
    } catch (RuntimeException | Error e) {
      LOG.error("The outputs of job {} can't be read", turn.jobId(), e);
      throw new Postponed("an output can't be read", e, Postponed.Gap.UNREADABLE);
    }
  }

  private Verdict judged(Turn turn, Ending ending, FetchBound bound) throws Postponed {
    return switch (ending.outcome()) {
      case Outcome.Succeeded succeeded -> succeeded(turn, ending, succeeded, bound);
      case Outcome.Rejected(String category) ->
          fail(turn, ending, Kind.SAFETY, "safety", "Refused by a safety filter: " + category);
      case Outcome.Throttled(var retryAfter) ->
          fail(
              turn, ending, "throttled", "The executor asks for a pause.", retryAfter.orElse(null));
      case Outcome.Unavailable(String message, var retryAfter) ->
          fail(turn, ending, "unavailable", message, retryAfter.orElse(null));
      case Outcome.BadAnswer(String message) -> fail(turn, ending, "bad_answer", message, null);
      case Outcome.Failed(String message) -> fail(turn, ending, Kind.PERMANENT, "failed", message);
      case Outcome.Uncertain(String message, _, _) ->
          fail(turn, ending, Kind.PERMANENT, "uncertain", message);
      case Outcome.Canceled _ -> throw new IllegalArgumentException("who asked it to stop?");
    };
  }

  private Verdict succeeded(Turn turn, Ending ending, Outcome.Succeeded succeeded, FetchBound bound)
      throws Postponed {
    Summary summary;
    try {
      summary = ProviderSummary.summary(facts(succeeded, ending.usage()));
    } catch (ProviderSummary.Refused e) {
      return badOutput(turn, ending, String.valueOf(e.getMessage()));
    }
    if (succeeded.outputs().size() > MOST_OUTPUTS) {
      return badOutput(turn, ending, "there are more than " + MOST_OUTPUTS + " outputs");
    }
    List<StoredOutput> stored = new ArrayList<>();
    boolean whole = false;
    try {
      PictureBudget pictures = PictureBudget.perCall(tenant(turn));
      for (Output output : succeeded.outputs()) {
        stored.add(store(turn, output, pictures, bound));
      }
      whole = true;
    } catch (OutputRefused e) {
      return badOutput(turn, ending, String.valueOf(e.getMessage()));
    } catch (ProviderOutputs.Unfetched e) {
      String why = "an output can't be fetched: " + e.getMessage();
      if (e.hope() == ProviderOutputs.Hope.NONE) {
        return badOutput(turn, ending, why);
      }
      boolean absent = e.hope() == ProviderOutputs.Hope.ABSENT;
      throw new Postponed(why, e, absent ? Postponed.Gap.ABSENT : Postponed.Gap.PASSING);
    } catch (ProviderContent.Broken e) {
      throw e;
    } catch (IOException e) {
      LOG.error("The outputs of job {} can't be read", turn.jobId(), e);
      throw new Postponed("an output can't be read", e, Postponed.Gap.UNREADABLE);
    } catch (RuntimeException | Error e) {
      // The provider's own breakdowns are told apart, so whatever comes here is the store's.
      LOG.error("The outputs of job {} can't be stored", turn.jobId(), e);
      throw new Postponed("the object store does not take it: " + e.getMessage(), e);
    } finally {
      if (!whole) {
        discard(stored);
      }
    }
    List<OutputFile> files = stored.stream().map(Verdicts::file).toList();
    Callback.Id cause = ending.cause();
    return new Verdict(
        cause == null
            ? new Report.Complete(turn.job(), turn.token(), files, summary)
            : new Report.Complete(turn.job(), turn.token(), files, summary, cause),
        stored);
  }

  /** What the service says that it took goes beside the provider's own facts. */
  private static Map<String, Object> facts(Outcome.Succeeded succeeded, Usage usage) {
    Map<String, Object> took = new HashMap<>(usage.metrics());
    usage.computing().ifPresent(time -> took.put("seconds", time.toMillis() / 1000.0));
    if (took.isEmpty()) {
      return succeeded.summary();
    }
    Map<String, Object> facts = new HashMap<>(succeeded.summary());
    facts.put("usage", took);
    return facts;
  }

  private StoredOutput store(Turn turn, Output output, PictureBudget pictures, FetchBound bound)
      throws IOException, Postponed {
    Output here = fetch.here(ProviderContent.guarding(output), bound);
    StoredOutput stored = outputs.store(here, tenant(turn), turn.jobId(), turn.attempt(), pictures);
    ObjectCheck verification = outputs.verify(stored);
    if (!verification.intact()) {
      discard(List.of(stored));
      throw new Postponed("what was stored is " + verification, null);
    }
    return stored;
  }

  /** The service surely has nothing: another attempt may send it again, after its backoff. */
  public Report.Fail notTaken(Turn turn) {
    return new Report.Fail(
        turn.job(),
        turn.token(),
        Kind.RETRYABLE,
        new Failure("not_taken", NOT_TAKEN),
        null,
        jitter.getAsDouble());
  }

  /** What becomes of a result that was put off until nobody waits for it any more. */
  public Verdict givenUp(Turn turn, Postponed why) {
    if (why.getCause() instanceof ProviderOutputs.Unfetched) {
      return badOutput(turn, Ending.of(new Outcome.Canceled()), String.valueOf(why.getMessage()));
    }
    return why.unreadable() ? unreadable(turn) : lost(turn);
  }

  /** What becomes of a result that could not be taken for so long that nobody waits any more. */
  public Verdict lost(Turn turn) {
    return fail(
        turn,
        Ending.of(new Outcome.Canceled()),
        Kind.PERMANENT,
        "storage",
        "The result could not be stored.");
  }

  /** What becomes of a result whose output was at no address for so long that it won't be. */
  public Verdict absent(Turn turn, Ending ending, Postponed why) {
    return badOutput(turn, ending, String.valueOf(why.getMessage()));
  }

  /** What becomes of a result that its provider fails to write. Making it again may cost again. */
  public Verdict unreadable(Turn turn) {
    return fail(
        turn,
        Ending.of(new Outcome.Canceled()),
        Kind.PERMANENT,
        "bad_output",
        "An output can't be read.");
  }

  static OutputFile file(StoredOutput stored) {
    return new OutputFile(
        stored.fileId(),
        stored.key(),
        stored.name(),
        new OutputFile.Content(stored.mediaType(), stored.size(), stored.sha256()),
        new OutputFile.Picture(stored.width(), stored.height(), stored.thumbnailKey()),
        null);
  }

  /** Nothing points to these files, so nobody misses them; a failure here only costs room. */
  public void discard(List<StoredOutput> stored) {
    try {
      outputs.discard(stored);
    } catch (RuntimeException e) {
      LOG.warn("{} outputs were left behind", stored.size(), e);
    }
  }

  private String tenant(Turn turn) {
    return tenantSlug.apply(turn.job().tenant());
  }

  private Verdict badOutput(Turn turn, Ending ending, String why) {
    return fail(turn, ending, Kind.PERMANENT, "bad_output", UNUSED + why);
  }

  private Verdict fail(
      Turn turn, Ending ending, String code, String message, @Nullable Duration retryAfter) {
    Duration bounded =
        retryAfter == null || retryAfter.compareTo(LONGEST_RETRY_AFTER) <= 0
            ? retryAfter
            : LONGEST_RETRY_AFTER;
    return failed(
        turn,
        ending,
        Kind.RETRYABLE,
        new Failure(code, OwnerText.line(message)),
        bounded == null || bounded.isNegative() ? null : bounded);
  }

  private Verdict fail(Turn turn, Ending ending, Kind kind, String code, String message) {
    return failed(turn, ending, kind, new Failure(code, OwnerText.line(message)), null);
  }

  private Verdict failed(
      Turn turn, Ending ending, Kind kind, Failure failure, @Nullable Duration retryAfter) {
    Report.Fail.@Nullable Refusal refusal =
        ending.outcome() instanceof Outcome.Rejected(String category) && ending.provider() != null
            ? new Report.Fail.Refusal(
                OwnerText.line(category), "provider_filter", ending.provider())
            : null;
    return new Verdict(
        new Report.Fail(
            turn.job(),
            turn.token(),
            kind,
            failure,
            retryAfter,
            jitter.getAsDouble(),
            ending.cause(),
            refusal),
        List.of());
  }
}
