package dev.millrace.server.api;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Answers while it is waited for, and counts how often it was called. */
record CalledProvider(boolean needsService, Function<Work, Outcome> answer, AtomicInteger calls)
    implements Provider {

  CalledProvider(boolean needsService, Function<Work, Outcome> answer) {
    this(needsService, answer, new AtomicInteger());
  }

  static Outcome succeeded(String text) {
    return new Outcome.Succeeded(
        List.of(
            new Output(
                "a.txt", "text/plain", out -> out.write(text.getBytes(StandardCharsets.UTF_8)))),
        Map.of());
  }

  @Override
  public String name() {
    return "sketch";
  }

  @Override
  public Outcome execute(Work work) {
    calls.incrementAndGet();
    return answer.apply(work);
  }
}
