package dev.millrace.server.api;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Misbehaves in the way that the job's prompt names. */
final class HostileProvider implements Provider {

  static final String NUL = "a\0b";
  static final String LONE = "a\uD800b";
  static final String HUGE = "x".repeat(10_000_000);
  static final int MAX_OUTPUT_BYTES = 100_000;

  /** One way to misbehave. */
  @FunctionalInterface
  interface Trick {
    Outcome play(Work work) throws Exception;
  }

  /**
   * A trick and what must become of the job.
   *
   * @param code of the error; empty for a job that completes
   */
  record Ending(Trick trick, String state, String code) {}

  private final Map<String, Ending> endings = new LinkedHashMap<>();

  HostileProvider() {
    badSummaries();
    badOutputs();
    badWords();
    breakdowns();
    harmless();
  }

  Map<String, Ending> endings() {
    return Collections.unmodifiableMap(endings);
  }

  @Override
  public String name() {
    return "sketch";
  }

  @Override
  public Outcome execute(Work work) throws InterruptedException {
    Ending ending = endings.get(String.valueOf(work.input().get("prompt")));
    if (ending == null) {
      throw new IllegalStateException("nobody knows this trick");
    }
    try {
      return ending.trick().play(work);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw HostileProvider.<RuntimeException>disguised(e);
    }
  }

  /** A checked exception that no signature tells of. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T disguised(Throwable e) throws T {
    throw (T) e;
  }

  private void badSummaries() {
    mended("summary with NUL", Map.of("fact", NUL));
    mended("summary with a name with NUL", Map.of(NUL, 1));
    mended("summary with half a character", Map.of("fact", LONE));
    mended("summary with a name with half a character", Map.of(LONE, 1));
    summary("summary with NaN", Map.of("fact", Double.NaN));
    summary("summary with infinity", Map.of("fact", Float.NEGATIVE_INFINITY));
    summary("summary of ten megabytes", Map.of("fact", HUGE));
    summary("summary with a name of ten megabytes", Map.of(HUGE, 1));
    summary("summary ten thousand deep", Map.of("fact", deep(10_000)));
    summary("summary inside itself", Map.of("fact", itself()));
    summary(
        "summary of five thousand",
        IntStream.range(0, 5_000).boxed().collect(Collectors.toMap(i -> "fact-" + i, i -> i)));
    summary("summary with 1e2000", Map.of("fact", new BigDecimal("1e2000")));
    summary("summary with 1e-2000", Map.of("fact", new BigDecimal("1e-2000")));
    summary("summary with 1e200000", Map.of("fact", new BigDecimal("1e200000")));
    summary("summary with 1e999999999", Map.of("fact", new BigDecimal("1e999999999")));
    summary("summary with 2^100000", Map.of("fact", BigInteger.TWO.pow(100_000)));
    summary("summary with a thing", Map.of("fact", new Object()));
    summary("summary with a thread", Map.of("fact", Thread.currentThread()));
    summary("summary with names that are numbers", Map.of("fact", Map.of(1, 2)));
  }

  private void badOutputs() {
    output("empty picture", "a.png", "image/png", _ -> {});
    output("empty text", "a.txt", "text/plain", _ -> {});
    output("media type with NUL", "a.txt", "text/plain\0", HostileProvider::hello);
    output("media type with a header", "a", "text/plain\r\nX-Evil: 1", HostileProvider::hello);
    output("media type of ten megabytes", "a.txt", HUGE, HostileProvider::hello);
    output("unknown media type", "a.exe", "application/x-msdownload", HostileProvider::hello);
    output("text that says it is a picture", "a.png", "image/png", HostileProvider::hello);
    output("too large", "a.txt", "text/plain", out -> out.write(new byte[MAX_OUTPUT_BYTES + 1]));
    output(
        "too large, and silent about it",
        "a.txt",
        "text/plain",
        out -> {
          for (int i = 0; i < MAX_OUTPUT_BYTES; i++) {
            try {
              out.write(new byte[] {'x', 'x'});
            } catch (IOException | RuntimeException e) {
              // It goes on as if nothing had been said.
            }
          }
        });
    ends(
        "too many outputs",
        _ -> new Outcome.Succeeded(Collections.nCopies(1_001, good()), Map.of()),
        "failed",
        "bad_output");
    Output halfway =
        new Output(
            "a.txt",
            "text/plain",
            out -> {
              hello(out);
              throw new IOException("half-way");
            });
    // The first output is stored by then, and must not stay.
    ends("half an output", _ -> succeeded(good(), halfway), "failed", "bad_output");
  }

  private void badWords() {
    ends("failure with NUL", _ -> new Outcome.Failed(NUL), "failed", "failed");
    ends("failure with half a character", _ -> new Outcome.Failed(LONE), "failed", "failed");
    ends("failure of ten megabytes", _ -> new Outcome.Failed(HUGE), "failed", "failed");
    ends("failure without words", _ -> new Outcome.Failed(""), "failed", "failed");
    ends("doubt with NUL", _ -> new Outcome.Uncertain(NUL + LONE), "failed", "uncertain");
    ends("refusal with NUL", _ -> new Outcome.Rejected(NUL + LONE + HUGE), "rejected", "safety");
    for (Duration pause :
        List.of(
            Duration.ofSeconds(-1),
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))) {
      ends(
          "pause of " + pause,
          _ -> new Outcome.Throttled(Optional.of(pause)),
          "dead_letter",
          "throttled");
      ends(
          "pause with words of " + pause,
          _ -> new Outcome.Unavailable(NUL, Optional.of(pause)),
          "dead_letter",
          "unavailable");
    }
  }

  private void breakdowns() {
    breaks("null", _ -> nothing());
    breaks("failure of null", _ -> new Outcome.Failed(nothing()));
    breaks("refusal of null", _ -> new Outcome.Rejected(nothing()));
    breaks("pause of null", _ -> new Outcome.Throttled(nothing()));
    breaks("success of null", _ -> new Outcome.Succeeded(nothing(), nothing()));
    breaks("success of nothing", _ -> new Outcome.Succeeded(List.of(), Map.of()));
    breaks(
        "progress of null",
        work -> {
          work.progress(1, nothing(), nothing());
          return succeeded(good());
        });
    breaks("stack overflow", _ -> succeeded(new Output("a", "text/plain", _ -> hello(endless(0)))));
    breaks("stack overflow of its own", _ -> new Outcome.Failed(endless(0).toString()));
    breaks(
        "no memory",
        _ -> {
          throw new OutOfMemoryError("not really");
        });
    breaks(
        "assertion",
        _ -> {
          throw new AssertionError(NUL);
        });
    breaks(
        "linkage",
        _ -> {
          throw new NoClassDefFoundError(LONE);
        });
    breaks(
        "checked exception",
        _ -> {
          throw new IOException(NUL);
        });
    breaks(
        "interruption",
        _ -> {
          throw new InterruptedException(NUL);
        });
    breaks(
        "error while writing",
        _ ->
            succeeded(
                good(),
                new Output(
                    "a.txt",
                    "text/plain",
                    _ -> {
                      throw new StackOverflowError();
                    })));
  }

  /** What looks bad, but can be cleaned without loss. */
  private void harmless() {
    for (String name :
        List.of(
            "../../etc/passwd", NUL, LONE, "x".repeat(10_000), "con", "a\r\nb", "..", "\u202e")) {
      completes(
          "output named " + endings.size(),
          _ -> succeeded(new Output(name, "text/plain", HostileProvider::hello)));
    }
    completes(
        "progress of garbage",
        work -> {
          for (String words : List.of(NUL, LONE, HUGE, "", "\u202e")) {
            work.progress(Integer.MIN_VALUE, words, words);
            work.progress(Integer.MAX_VALUE, words, words);
          }
          return succeeded(good());
        });
    completes(
        "interrupts itself",
        _ -> {
          Thread.currentThread().interrupt();
          return succeeded(good());
        });
    completes(
        "plain facts",
        _ ->
            new Outcome.Succeeded(
                List.of(good()),
                Map.of(
                    "fact",
                    List.of(1, 2.5, true, "\uD83E\uDD8A", Map.of("n", new BigDecimal("1e9"))))));
  }

  private void mended(String name, Map<String, Object> facts) {
    completes(name, _ -> new Outcome.Succeeded(List.of(good()), facts));
  }

  private void summary(String name, Map<String, Object> facts) {
    ends(name, _ -> new Outcome.Succeeded(List.of(good()), facts), "failed", "bad_output");
  }

  private void output(String name, String file, String type, Output.Content content) {
    ends(name, _ -> succeeded(new Output(file, type, content)), "failed", "bad_output");
  }

  private void breaks(String name, Trick trick) {
    ends(name, trick, "dead_letter", "unavailable");
  }

  private void completes(String name, Trick trick) {
    ends(name, trick, "completed", "");
  }

  private void ends(String name, Trick trick, String state, String code) {
    endings.put(name, new Ending(trick, state, code));
  }

  private static Outcome succeeded(Output... outputs) {
    return new Outcome.Succeeded(List.of(outputs), Map.of());
  }

  private static Output good() {
    return new Output("a.txt", "text/plain", HostileProvider::hello);
  }

  private static void hello(OutputStream out) throws IOException {
    out.write("hello".getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("InfiniteRecursion")
  private static OutputStream endless(int depth) {
    return endless(depth + 1);
  }

  private static Object deep(int depth) {
    Object deep = List.of();
    for (int i = 0; i < depth; i++) {
      deep = List.of(deep);
    }
    return deep;
  }

  private static Map<String, Object> itself() {
    Map<String, Object> itself = new HashMap<>();
    itself.put("again", new ArrayList<>(List.of(itself)));
    return itself;
  }

  /** What a provider that is compiled without null checks may hand over. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
