package dev.millrace.server.api;

import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import dev.millrace.spi.provider.Usage;
import dev.millrace.spi.provider.Verification;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes work, bills it, and then breaks down. */
class TakingProvider implements AsyncProvider {

  private final Throwable thrown;
  private final boolean canBeAsked;
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private final AtomicInteger questions = new AtomicInteger();

  TakingProvider(Throwable thrown, boolean canBeAsked) {
    this.thrown = thrown;
    this.canBeAsked = canBeAsked;
  }

  int bought() {
    return taken.size();
  }

  int questions() {
    return questions.get();
  }

  /** Whatever it is, no signature has to tell of it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <T extends Throwable> T disguised(Throwable e) throws T {
    throw (T) e;
  }

  @Override
  public String name() {
    return "sketch";
  }

  @Override
  public boolean canBeAsked() {
    return canBeAsked;
  }

  @Override
  public Duration settlingTime() {
    return Duration.ZERO;
  }

  @Override
  public Submission submit(Order order) {
    taken.add("work-" + order.intent());
    throw TakingProvider.<RuntimeException>disguised(thrown);
  }

  @Override
  public Finding find(Order order) {
    questions.incrementAndGet();
    String reference = "work-" + order.intent();
    if (!canBeAsked) {
      return Finding.Unknown.forEver("It can't be asked.");
    }
    return taken.contains(reference) ? new Finding.Found(reference) : new Finding.Absent();
  }

  @Override
  public Standing collect(Order order, String reference) {
    return new Standing.Ended(
        new Outcome.Succeeded(
            List.of(
                new Output(
                    "a.txt",
                    "text/plain",
                    out -> out.write("done".getBytes(StandardCharsets.UTF_8)))),
            Map.of()),
        Usage.none());
  }

  @Override
  public Cancellation cancel(Order order, String reference) {
    return Cancellation.STOPPED;
  }

  @Override
  public Verification verify(Map<String, List<String>> headers, byte[] body) {
    return new Verification.Refused(Verification.Reason.NO_KEYS, "it does not call");
  }
}
