package dev.millrace.cli.fake;

import dev.millrace.cli.Millrace;
import dev.millrace.cli.api.RetryWait;
import dev.millrace.cli.shell.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/** Runs commands in this process, and keeps what they print. */
public final class Cli {

  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  /** How a command ended. */
  public record Result(int exit, String out, String err) {}

  private final Map<String, String> environment = new HashMap<>();
  private RetryWait pause = _ -> {};
  private boolean terminal;
  private Charset charset = StandardCharsets.UTF_8;
  private String input = "";

  /** Without a server: nothing but an empty folder for profiles. */
  public Cli(Path profiles) {
    environment.put("MILLRACE_PROFILE_DIR", profiles.toString());
  }

  public Cli(Path profiles, FakeServer server) {
    this(profiles);
    environment.put("MILLRACE_URL", server.url());
    environment.put("MILLRACE_API_KEY", "mr_test");
  }

  public Cli variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public Cli pausing(RetryWait newPause) {
    pause = newPause;
    return this;
  }

  public Cli onTerminal(Charset newCharset) {
    terminal = true;
    charset = newCharset;
    return this;
  }

  public Cli typing(String newInput) {
    input = newInput;
    return this;
  }

  public Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, charset),
            new PrintStream(err, true, charset),
            new Surroundings.Terminals(terminal, terminal, terminal),
            environment,
            Clock.fixed(NOW, ZoneOffset.UTC),
            pause);
    int exit = Millrace.run(surroundings, args);
    return new Result(exit, out.toString(charset), err.toString(charset));
  }
}
