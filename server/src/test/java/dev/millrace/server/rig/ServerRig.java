package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.settings.Settings;
import dev.millrace.testkit.TestDatabase;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A whole server on a database of its own, and a client with its first admin key. */
public final class ServerRig implements AutoCloseable {

  private final TestDatabase database = TestDatabase.create();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(20))
          .build();
  private final Path folder;
  private final String[] settings;
  private MillraceServer server;
  private final Client admin;

  private ServerRig(Path folder, String... settings) {
    this.folder = folder;
    this.settings = settings.clone();
    this.server = MillraceServer.start(settings(settings), _ -> {});
    this.admin = new Client(http, server.url(), server.keyForOwner(null).orElseThrow());
  }

  /**
   * Starts a server.
   *
   * @param settings such as {@code EXECUTOR_SLOTS=0}
   */
  public static ServerRig start(Path folder, String... settings) {
    return new ServerRig(folder, settings);
  }

  private Settings settings(String... more) {
    Map<String, String> environment = new HashMap<>();
    environment.put(
        "MILLRACE_DATABASE_URL",
        database
            .jdbcUrl()
            .replace(
                "jdbc:postgresql://",
                "postgres://" + database.user() + ":" + database.password() + "@"));
    environment.put("MILLRACE_DATABASE_POOL_SIZE", "8");
    environment.put("MILLRACE_HTTP_PORT", "0");
    environment.put("MILLRACE_DATA_DIR", folder.resolve("data").toString());
    environment.put("MILLRACE_PROFILE_DIR", folder.resolve("profile").toString());
    environment.put("MILLRACE_REAPER_INTERVAL_MILLIS", "50");
    environment.put("MILLRACE_QUOTA_ACTIVE_JOBS", "0");
    environment.put("MILLRACE_RATE_REQUESTS_PER_MINUTE", "0");
    environment.put("MILLRACE_RATE_UNAUTHENTICATED_PER_MINUTE", "0");
    // On a busy machine a law may take long, and one that is not checked does not hold.
    environment.put("MILLRACE_DOCTOR_STATEMENT_TIMEOUT_SECONDS", "50");
    environment.put("MILLRACE_DOCTOR_LOCK_TIMEOUT_MILLIS", "30000");
    for (String setting : more) {
      String[] nameAndValue = setting.split("=", 2);
      environment.put("MILLRACE_" + nameAndValue[0], nameAndValue[1]);
    }
    return Settings.load(environment, folder);
  }

  /** A client with the admin key, for the server that runs now. */
  public Client admin() {
    return new Client(http, server.url(), admin.key());
  }

  /** The first admin's key. */
  public String key() {
    return String.valueOf(admin.key());
  }

  /** The address of a page of the server that runs now. */
  public String url(String path) {
    return server.url() + path;
  }

  public MillraceServer server() {
    return server;
  }

  public Console console() {
    return new Console(http, server.url());
  }

  public Client withoutKey() {
    return admin().with(null);
  }

  /** A client with a new key that is bound to this user. */
  public Client boundTo(String user) {
    return admin().with(newSecret("user", user));
  }

  /** A client with a new key of this role that may act for any user. */
  public Client as(String role) {
    return admin().with(newSecret(role, ""));
  }

  /** The secret of a new key of this role, which is bound to this user unless that is empty. */
  public String newSecret(String role, String user) {
    return newKey(role, user).path("secret").asString();
  }

  /** A new key as the API shows it, with its secret. */
  public ObjectNode newKey(String role, String user) {
    ObjectNode wanted =
        JsonMapper.shared().createObjectNode().put("name", "test").put("role", role);
    if (!user.isEmpty()) {
      wanted.put("user", user);
    }
    return (ObjectNode) admin().post("/api/admin/keys", wanted.toString()).expect(201).json();
  }

  public void credit(String user, long amount) {
    admin()
        .post(
            "/api/admin/wallets/credit",
            """
            {"user":"%s","amount":%d,"idempotency_key":"%s"}
            """
                .formatted(user, amount, java.util.UUID.randomUUID()))
        .expect(200);
  }

  public TestDatabase database() {
    return database;
  }

  public String ask(String sql) {
    return String.valueOf(database.ask(sql));
  }

  /** Stops the server and starts it again as it was. */
  public void restart() {
    restart(settings);
  }

  /** Stops the server and starts another one on the same data. */
  public void restart(String... settings) {
    server.close();
    server = MillraceServer.start(settings(settings), _ -> {});
  }

  /** One more server on the same data, for as long as the test keeps it open. */
  public MillraceServer another(String... settings) {
    return MillraceServer.start(settings(settings), _ -> {});
  }

  public void stop() {
    server.close();
  }

  /** Fails unless every invariant holds. */
  public void examine() {
    Answer found = admin().get("/api/admin/doctor").expect(200);
    assertThat(found.json().path("ok").asBoolean()).as(found::text).isTrue();
    assertThat(found.json().path("checks").size()).isPositive();
  }

  /** A row count for every table that a refused request must leave alone. */
  public List<String> traces() {
    return List.of(
        ask("select count(*) from job"),
        ask("select count(*) from job_input"),
        ask("select count(*) from ledger"),
        ask("select count(*) from wallet"),
        ask("select count(*) from api_key"),
        ask("select coalesce(sum(balance), 0) from wallet"));
  }

  @Override
  public void close() {
    http.shutdownNow();
    server.close();
    database.close();
  }
}
