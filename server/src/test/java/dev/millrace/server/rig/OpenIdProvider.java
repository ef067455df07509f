package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.millrace.testkit.net.KeptPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real OpenID provider, {@code oidc-provider} from npm, in a process of its own. Whoever signs in
 * there is who he says, with any password. Each start has new keys.
 */
public final class OpenIdProvider implements AutoCloseable {

  public static final String SECRET = "a-secret-of-the-console";
  public static final String AUDIENCE = "https://millrace.example";

  private static final Duration INSTALLING = Duration.ofMinutes(5);
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "provider.js");

  private final Path folder;
  private final String console;
  private final int port;
  private final Map<String, Object> told;
  private @Nullable Process process;

  private OpenIdProvider(Path folder, String console, int port, Map<String, Object> told) {
    this.folder = folder;
    this.console = console;
    this.port = port;
    this.told = told;
  }

  /**
   * Starts one.
   *
   * @param console where the console is that people sign in to
   * @param claims {@code token} if the ID token has them all, {@code userinfo} if it has none
   */
  public static OpenIdProvider start(String console, String claims) {
    int port = KeptPort.next();
    OpenIdProvider provider =
        new OpenIdProvider(
            installed(),
            console,
            port,
            Map.of(
                "issuer",
                "http://localhost:" + port,
                "port",
                port,
                "secret",
                SECRET,
                "claims",
                claims,
                "algorithm",
                "RS256",
                "redirects",
                List.of(console + "/console/sign-in/callback"),
                "afterwards",
                List.of(console + "/console/sign-in"),
                "people",
                people()));
    provider.begin();
    return provider;
  }

  private static Map<String, Object> people() {
    return Map.of(
        "olga", person("m-operator", "default"),
        "adam", person("m-admin", "default"),
        "rita", person("m-reviewer", "default"),
        "ulla", person("m-user", "default"),
        "nora", person("something-else", "default"),
        "fred", person("m-admin", "umbrella"),
        "lena", person("m-admin", "no-such-tenant"));
  }

  private static Map<String, Object> person(String role, String tenant) {
    return Map.of(
        "realm",
        Map.of("roles", List.of("offline", role)),
        "tenant",
        tenant,
        "email",
        role + "@example.org");
  }

  /** What a server is set to that believes this provider, for the API and for the console. */
  public String[] settings(String client) {
    return new String[] {
      "HTTP_PUBLIC_URL=" + console,
      "OIDC_ISSUER=" + issuer(),
      "OIDC_CLIENT_ID=" + client,
      "OIDC_NAME=Example ID",
      "JWT_ISSUERS=" + issuer(),
      "JWT_AUDIENCES=" + AUDIENCE,
      "IDENTITY_TENANT_CLAIM=tenant",
      "IDENTITY_ROLES_CLAIM=realm.roles",
      "IDENTITY_ROLES=m-operator=operator, m-admin=admin, m-reviewer=reviewer, m-user=user",
      "IDENTITY_NAME_CLAIM=email"
    };
  }

  public String issuer() {
    return "http://localhost:" + port;
  }

  /** Starts, with keys that it never had. */
  public void begin() {
    try {
      Path log = Files.createTempFile(folder, "provider", ".log");
      ProcessBuilder node =
          new ProcessBuilder("node", "provider.js")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      node.environment().put("PROVIDER", JsonMapper.shared().writeValueAsString(told));
      Process started = node.start();
      process = started;
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(50))
          .until(() -> {
            String said = Files.readString(log);
            assertThat(started.isAlive()).as(said).isTrue();
            return said.contains("listening");
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the process; nothing answers on its port any more. */
  public void stop() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      try {
        assertThat(running.waitFor(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    process = null;
  }

  /** An access token for a program of this person, as a JWT. */
  public String programToken(String person, String audience) {
    String proof =
        Base64.getEncoder()
            .encodeToString((person + "-program:" + SECRET).getBytes(StandardCharsets.UTF_8));
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answered =
          http.send(
              HttpRequest.newBuilder(URI.create(issuer() + "/token"))
                  .timeout(Duration.ofSeconds(30))
                  .header("Authorization", "Basic " + proof)
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "grant_type=client_credentials&scope=api&resource=" + audience))
                  .build(),
              BodyHandlers.ofString());
      String answer = String.valueOf(answered.body());
      String token = JsonMapper.shared().readTree(answer).path("access_token").asString("");
      assertThat(token).as(answer).startsWith("ey");
      return token;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What npm has installed below the build's folder, once for all tests. */
  private static Path installed() {
    requireNpm();
    try {
      Path folder = Files.createDirectories(Path.of("target", "openid-provider").toAbsolutePath());
      try (FileChannel lock =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = lock.lock()) {
        boolean same = true;
        for (String file : FILES) {
          same &= copied(file, folder) || file.endsWith(".js");
        }
        if (!same || !Files.exists(folder.resolve("node_modules/.package-lock.json"))) {
          install(folder);
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the file was there already as it is now. */
  private static boolean copied(String file, Path folder) throws IOException {
    Path to = folder.resolve(file);
    try (var in =
        Objects.requireNonNull(
            OpenIdProvider.class.getResourceAsStream("/openid-provider/" + file))) {
      Path fresh = Files.createTempFile(folder, "fresh", ".tmp");
      Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
      boolean same = Files.exists(to) && Files.mismatch(fresh, to) < 0;
      Files.move(fresh, to, StandardCopyOption.REPLACE_EXISTING);
      return same;
    }
  }

  private static void install(Path folder) throws IOException {
    Path log = folder.resolve("npm.log");
    run(
        new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile()),
        log);
  }

  private static void run(ProcessBuilder command, Path log) throws IOException {
    Process process = command.start();
    try {
      boolean ended = process.waitFor(INSTALLING.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended && process.exitValue() == 0).as(() -> read(log)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireNpm() {
    for (String program : List.of("npm", "node")) {
      boolean there =
          List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
              .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
      if (!there) {
        String words =
            "NOT TESTED against a real OpenID provider: there is no " + program + " here";
        System.err.println("*** " + words + " ***");
        abort(words);
      }
    }
  }

  @Override
  public void close() {
    stop();
  }
}
