package dev.millrace.bench.http;

import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.money.Wallet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The real server, started as its users start it, on the database of an arena. Its limits on
 * requests are off, and so is its own executor.
 */
public final class ServerProcess implements AutoCloseable {

  /** Of the command line, which is on the class path when the launcher starts the benchmark. */
  private static final String MAIN = "dev.millrace.cli.Millrace";

  private static final String READY = "  Next ";
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int USERS = 1000;

  private final Process process;
  private final int port;
  private final String key;
  private final List<Wallet.Owner> users;

  private ServerProcess(Process process, int port, String key, List<Wallet.Owner> users) {
    this.process = process;
    this.port = port;
    this.key = key;
    this.users = users;
  }

  /**
   * Starts it and waits until it is ready. A thousand users of its tenant have credits then.
   *
   * @param settings more settings, such as {@code FLEET_SECRET}
   */
  public static ServerProcess start(Arena arena, Path folder, Map<String, String> settings)
      throws IOException, InterruptedException {
    Path out = folder.resolve("server.out");
    Path err = folder.resolve("server.err");
    Path profiles = folder.resolve("profiles");
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("bench.yaml"), catalogue(0));
    for (int i = 1; i < Stock.QUEUES; i++) {
      Files.writeString(catalogue.resolve("bench-" + i + ".yaml"), catalogue(i));
    }
    ProcessBuilder builder = new ProcessBuilder(command());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("MILLRACE_"));
    environment.put("MILLRACE_DATA_DIR", folder.resolve("data").toString());
    environment.put("MILLRACE_PROFILE_DIR", profiles.toString());
    environment.put("MILLRACE_CATALOGUE_DIR", catalogue.toString());
    environment.put("MILLRACE_DATABASE_URL", arena.site().url(arena.name()));
    environment.put("MILLRACE_HTTP_PORT", "0");
    environment.put("MILLRACE_EXECUTOR_SLOTS", "0");
    environment.put("MILLRACE_QUOTA_ACTIVE_JOBS", "0");
    environment.put("MILLRACE_RATE_REQUESTS_PER_MINUTE", "0");
    environment.put("MILLRACE_RATE_UNAUTHENTICATED_PER_MINUTE", "0");
    environment.put("MILLRACE_LOG_FORMAT", "json");
    settings.forEach((name, value) -> environment.put("MILLRACE_" + name, value));
    builder.directory(folder.toFile());
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    try {
      awaitReady(process, out, err);
      Properties profile = new Properties();
      try (InputStream in = Files.newInputStream(profiles.resolve("profile.properties"))) {
        profile.load(in);
      }
      List<Wallet.Owner> users = users(arena);
      Stock.pay(arena.database(), users);
      int port = URI.create(profile.getProperty("url", "")).getPort();
      return new ServerProcess(process, port, profile.getProperty("key", ""), users);
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static List<String> command() {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String options = System.getenv().getOrDefault("MILLRACE_JAVA_OPTS", "");
    Arrays.stream(options.split("\\s+", -1)).filter(word -> !word.isEmpty()).forEach(words::add);
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Djava.awt.headless=true"));
    words.addAll(List.of(MAIN, "start"));
    return words;
  }

  private static String catalogue(int number) {
    return """
    workflow: bench-%1$d
    title: Bench %1$d
    executor: worker
    properties:
      prompt: {type: string, minLength: 1, maxLength: 500}
    required: [prompt]
    effects:
      - effect: bench-%1$d
        title: Bench %1$d
        credits_cost: 5
    """
        .formatted(number);
  }

  private static List<Wallet.Owner> users(Arena arena) {
    int tenant = arena.database().tenants().ensure("default");
    return IntStream.range(0, USERS).mapToObj(i -> new Wallet.Owner(tenant, "user-" + i)).toList();
  }

  private static void awaitReady(Process process, Path out, Path err)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!Files.readString(out).contains(READY)) {
      if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("the server did not start: " + Files.readString(err));
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the server is not ready after " + START_LIMIT);
      }
    }
  }

  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  /** Its threads of the operating system; virtual ones are not among them. */
  public double threads() throws IOException, InterruptedException {
    return Jcmd.counter(pid(), "java.threads.live");
  }

  /** The header that shows the admin key. */
  public String authorization() {
    return "Authorization: Bearer " + key;
  }

  public List<Wallet.Owner> users() {
    return users;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
