package dev.millrace.server.edge;

import dev.millrace.postgres.Database;
import dev.millrace.server.edge.PathValues.Thing;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.HookSink;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.access.ApiKey;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.TokenActions;
import dev.millrace.testkit.Background;
import dev.millrace.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two tenants on one server, both with an alice in the workspace blue, and everybody who could ask
 * for something as one of the first tenant.
 */
final class TwoTenants implements AutoCloseable {

  private static final String ALICE = "alice";
  private static final String BLUE = "blue";

  final ServerRig rig;
  final int ours;
  final int theirs;

  @SuppressWarnings("NullAway.Init")
  Estate ofAlice;

  @SuppressWarnings("NullAway.Init")
  Estate ofBob;

  @SuppressWarnings("NullAway.Init")
  Estate foreign;

  final List<Caller> callers = new ArrayList<>();

  private final HookSink hooks = new HookSink();
  private final Database database;
  private final FleetRig.Worker holder;
  private final Client admin;

  TwoTenants(Path folder) {
    rig = ServerRig.start(folder, settings(folder));
    TestDatabase test = rig.database();
    database = Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 2));
    ours = database.tenants().ensure("ours");
    theirs = database.tenants().ensure("theirs");
    database.tenants().ensure("bystander");
    FleetRig.worker(rig.admin(), "bystander", 1, "caption");
    holder = FleetRig.worker(rig.admin(), "holder", 1_000, "upscale");
    admin = rig.admin().with(key(ours, Role.ADMIN, Bounds.NONE).text());
  }

  /**
   * Apart from the start, so that a server whose tenants can't be filled is closed all the same.
   */
  TwoTenants fill() {
    Client theirAdmin = rig.admin().with(key(theirs, Role.ADMIN, Bounds.NONE).text());
    var first =
        Background.call(() -> Estate.make(theirAdmin, ALICE, BLUE, holder, hooks.url("/theirs")));
    var second = Background.call(this::spare);
    ofBob = Estate.make(admin, "bob", "red", holder, hooks.url("/ours"));
    ofAlice = second.join();
    foreign = first.join();
    gather();
    return this;
  }

  private String[] settings(Path folder) {
    String[] settings =
        FleetRig.settings(
            folder,
            "METRICS_ACCESS=key",
            "LEASE_SECONDS=3600",
            "FLEET_SILENCE_SECONDS=7200",
            "EXECUTOR_SLOTS=4",
            hooks.allowed());
    try {
      Files.writeString(
          folder.resolve("catalogue").resolve("enlarge.yaml"),
          """
          workflow: enlarge
          title: Enlarge
          executor: worker
          properties:
            picture: {type: file, title: Picture, media_types: [image/png, application/json]}
          required: [picture]
          effects:
            - {effect: enlarge/one, title: One, credits_cost: 1}
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return settings;
  }

  /** Another kind of credential, such as an identity's token, is one more line here. */
  private void gather() {
    add("operator", Role.OPERATOR, Bounds.NONE);
    add("admin", Role.ADMIN, Bounds.NONE);
    add("reviewer", Role.REVIEWER, Bounds.NONE);
    add("user", Role.USER, Bounds.NONE);
    add("user bound to alice", Role.USER, new Bounds(ALICE, null, null, null));
    add("reviewer bound to alice", Role.REVIEWER, new Bounds(ALICE, null, null, null));
    add("user bound to blue", Role.USER, new Bounds(null, BLUE, null, null));
    add("admin for keys alone", Role.ADMIN, scoped(Scope.KEYS_READ));
    add("user who reads jobs", Role.USER, scoped(Scope.JOBS_READ));
    callers.add(
        ended("admin whose key has expired", "ends_at = clock_timestamp() - interval '1 h'"));
    callers.add(ended("admin whose key was revoked", "revoked_at = clock_timestamp()"));
    callers.add(
        new Caller(
            "token of alice",
            admin.post("/api/user-tokens", "{\"user\":\"alice\"}").expect(201).at("/token"),
            null,
            Role.USER,
            new Bounds(ALICE, null, null, TokenActions.SAFE),
            false));
    FleetRig.Worker worker = FleetRig.worker(rig.admin(), "caller", 1, "caption");
    callers.add(
        new Caller(
            "worker", worker.client().key(), worker.client().key(), null, Bounds.NONE, true));
    callers.add(new Caller("nobody", null, null, null, Bounds.NONE, false));
    callers.add(
        new Caller("nonsense", ApiKey.random().text(), "nonsense", null, Bounds.NONE, false));
  }

  private static Bounds scoped(Scope scope) {
    return new Bounds(null, null, null, Set.of(scope));
  }

  private ApiKey key(int tenant, Role role, Bounds bounds) {
    ApiKey key = ApiKey.random();
    database
        .keys()
        .add(ApiKeys.row(tenant, key, new ApiKeys.Wish("of the matrix", role, bounds, null)));
    return key;
  }

  private void add(String name, Role role, Bounds bounds) {
    String key = key(ours, role, bounds).text();
    callers.add(new Caller(name, key, session(key), role, bounds, false));
  }

  /** Signed in while the key was good. */
  private Caller ended(String name, String how) {
    ApiKey key = key(ours, Role.ADMIN, Bounds.NONE);
    String session = session(key.text());
    rig.database()
        .execute("update api_key set %s where prefix = '%s'".formatted(how, key.prefix()));
    return new Caller(name, key.text(), session, null, Bounds.NONE, false);
  }

  private String session(String key) {
    return rig.console().guest(key).cookie().split("=", 2)[1];
  }

  Asking asking(HttpClient http) {
    return new Asking(http, rig.server().url());
  }

  /** Whose things a caller must not tell from what isn't there. */
  List<Estate> hiddenFrom(Caller caller) {
    return caller.bound() ? List.of(foreign, ofBob) : List.of(foreign);
  }

  /** What a caller may do with as it likes, new for each. */
  Estate spare() {
    return Estate.make(admin, ALICE, BLUE, holder, hooks.url("/ours"));
  }

  /** The ids of an estate for a row; a job of another state where the row would wait for an end. */
  static Map<Thing, String> idsFor(RouteRow row, Estate estate) {
    String path = row.template();
    if (path.endsWith("/stream") || path.endsWith("/live") || path.endsWith("/receipt")) {
      return estate.ids("completed");
    }
    return estate.ids(
        path.contains("approve") || path.contains("decline") || path.contains("item")
            ? "waiting_review"
            : "canceled");
  }

  @Override
  public void close() {
    database.close();
    rig.close();
    hooks.close();
  }
}
