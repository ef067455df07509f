package dev.millrace.service.attempt;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Elsewhere;
import dev.millrace.spi.provider.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;

/** Brings outputs that still lie at a service's address, as carefully as any foreign address. */
public final class ProviderOutputs {

  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final int OK = 200;
  private static final int SERVER_TROUBLE = 500;
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);

  /** Files show up late, and signed addresses end: the service may name another one. */
  private static final Set<Integer> ABSENT = Set.of(403, 404);

  /** What is to be expected of another try. */
  enum Hope {
    /** It would end the same. */
    NONE,
    /** It may be there in a while, or be gone. */
    ABSENT,
    PASSING
  }

  /** An output that could not be brought. */
  @SuppressWarnings("serial")
  static final class Unfetched extends IOException {
    private final Hope hope;

    Unfetched(String message, Hope hope) {
      super(message);
      this.hope = hope;
    }

    Hope hope() {
      return hope;
    }
  }

  private final FetchClient client;
  private final FetchLimits limits;
  private final Pace.Least least;

  /**
   * @param maxBytes of one output
   */
  public ProviderOutputs(FetchClient client, long maxBytes) {
    this(client, maxBytes, Pace.Least.USUAL);
  }

  ProviderOutputs(FetchClient client, long maxBytes, Pace.Least least) {
    this.client = client;
    this.least = least;
    this.limits = FetchLimits.USUAL.withBodyBytes(maxBytes).withIdle(SILENCE).withHeaders(SILENCE);
  }

  /** The same output with its bytes at hand. */
  Output here(Output output, FetchBound bound) {
    return output.content() instanceof Elsewhere elsewhere
        ? new Output(output.name(), output.mediaType(), out -> bring(elsewhere, out, bound))
        : output;
  }

  private void bring(Elsewhere elsewhere, OutputStream out, FetchBound bound) throws IOException {
    Pace pace = new Pace(least, System::nanoTime);
    FetchRequest request =
        FetchRequest.get(elsewhere.address().toString())
            .within(limits.withTotal(bound.left()))
            .stopWhen(() -> bound.stop().getAsBoolean() || pace.tooSlow());
    elsewhere.headers().forEach(request::credential);
    try (FetchStream stream = client.open(request)) {
      int status = stream.status();
      if (status != OK) {
        throw new Unfetched("its address answers with " + status, hope(status));
      }
      pace.copy(stream.body(), out);
    } catch (FetchTrouble e) {
      throw switch (e.trouble()) {
        case FetchResult.Refused(var reason) -> new Unfetched(reason.text(), Hope.NONE);
        case FetchResult.TooLarge _ ->
            new Unfetched("it is larger than what is stored here", Hope.NONE);
        case FetchResult.Unreachable(var gap) -> new Unfetched(gap.text(), Hope.PASSING);
        case FetchResult.TimedOut _ -> new Unfetched("it took too long", Hope.PASSING);
        case FetchResult.Stopped _ ->
            new Unfetched(
                pace.tooSlow() ? "it comes too slowly" : "nobody waits for it any more",
                Hope.PASSING);
      };
    }
  }

  private static Hope hope(int status) {
    if (ABSENT.contains(status)) {
      return Hope.ABSENT;
    }
    return status >= SERVER_TROUBLE || PASSING.contains(status) ? Hope.PASSING : Hope.NONE;
  }
}
