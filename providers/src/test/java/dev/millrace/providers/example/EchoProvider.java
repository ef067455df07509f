package dev.millrace.providers.example;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Gives back what it gets, in capitals. */
final class EchoProvider implements Provider {

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public Outcome execute(Work work) {
    if (!(work.input().get("prompt") instanceof String prompt)) {
      return new Outcome.Failed("prompt must be text.");
    }
    work.progress(0, "reading", "Reading the prompt");
    if (prompt.contains("forbidden")) {
      return new Outcome.Rejected("forbidden");
    }
    if (work.canceled()) {
      return new Outcome.Canceled();
    }
    byte[] text = prompt.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
    work.progress(100, "done", "Finished");
    return new Outcome.Succeeded(
        List.of(new Output("echo.txt", "text/plain", out -> out.write(text))), Map.of());
  }
}
