package dev.millrace.cli.command.tenant;

import static dev.millrace.cli.fake.FakeServer.bytes;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tenants from a terminal, from their making to their removal. */
class TenantsCommandTest {

  private static final String ACME =
      """
      {"slug":"acme","name":"Acme Inc.","created_at":"2026-01-01T00:00:00Z","suspended_at":%s,
       "limits":{"active_jobs":20,"storage_bytes":null,"burst":null},
       "use":{"users":1204,"balance":7,"live_jobs":2,"held":3,"stored_bytes":2000000}}
      """;

  private static final String PLAN =
      """
      {"dry_run":true,"obstacle":%s,"would_remove":{"users":2,"balance":7,"live_jobs":1,"held":3,
       "stored_bytes":2000,"jobs":40,"files":5,"keys":1,"webhooks":0}}
      """;

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_profile_exists() {
    cli = new Cli(folder.resolve("profiles"), server);
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  @Test
  void tenants_are_listed_page_by_page_and_searched() {
    server.on(
        "GET /api/admin/tenants",
        json(200, "{\"items\":[{\"slug\":\"acme\"}],\"next_cursor\":\"acme\"}"),
        json(
            200,
            "{\"items\":[{\"slug\":\"zen\",\"suspended_at\":\"2026-01-01T00:00:00Z\"}],\"next_cursor\":null}"));

    Result result = cli.run("tenants", "list", "--search", "a b");

    assertThat(result.out()).contains("acme", "active", "zen", "suspended");
    assertThat(server.seen().getFirst().query()).contains("search=a+b");
    assertThat(server.seen().getLast().query()).contains("cursor=acme");
    assertThat(cli.run("tenants", "--format", "json").out()).contains("\"slug\"");
  }

  @Test
  void a_tenant_is_shown_with_its_limits_and_its_use() {
    server.on("GET /api/admin/tenants/acme", json(200, ACME.formatted("null")));
    assertThat(cli.run("tenants", "show", "acme").out())
        .contains("Acme Inc.", "active", "1,204", "2.0 MB", "20", "as usual");
    server.on("GET /api/admin/tenants/acme", problem(404, "not_found", "Nothing here."));
    Result missing = cli.run("tenants", "show", "acme");
    assertThat(missing.exit()).isEqualTo(7);
    assertThat(missing.err()).contains("There is no tenant acme.");
  }

  @Test
  void a_new_tenant_prints_nothing_but_its_first_admins_key() {
    String key = "mr_" + "x".repeat(49);
    server.on(
        "POST /api/admin/tenants", json(201, "{\"slug\":\"acme\",\"admin_key\":\"" + key + "\"}"));
    assertThat(cli.run("tenants", "create", "acme", "--name", "Acme Inc.").out())
        .isEqualTo(key + "\n");
    assertThat(server.seen().getFirst().body()).contains("\"name\":\"Acme Inc.\"");
  }

  @Test
  void a_limit_is_changed_and_the_others_stay() {
    server
        .on("GET /api/admin/tenants/acme", json(200, ACME.formatted("null")))
        .on("PUT /api/admin/tenants/acme/limits", json(200, ACME.formatted("null")));
    Result result =
        cli.run("tenants", "limits", "acme", "--set", "storage_bytes=none", "--set", "burst=5");
    assertThat(result.exit()).isZero();
    assertThat(server.seen("PUT /api/admin/tenants/acme/limits").getFirst().body())
        .contains("\"active_jobs\":20", "\"storage_bytes\":0", "\"burst\":5");
    assertThat(cli.run("tenants", "limits", "acme", "--set", "colour=5").exit()).isEqualTo(2);
    assertThat(cli.run("tenants", "limits", "acme", "--set", "burst=many").exit()).isEqualTo(2);
  }

  @Test
  void a_tenant_is_suspended_and_let_in_again() {
    server
        .on("POST /api/admin/tenants/acme/suspend", json(200, ACME.formatted("null")))
        .on(
            "POST /api/admin/tenants/acme/resume",
            problem(409, "tenant_removed", "It is being removed."));
    assertThat(cli.run("tenants", "suspend", "acme").exit()).isZero();
    Result late = cli.run("tenants", "resume", "acme");
    assertThat(late.exit()).isEqualTo(2);
    assertThat(late.err()).contains("It is being removed.");
  }

  private static byte[] archive(String tenant) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
      byte[] manifest =
          "{\"tenant\":\"%s\",\"rows\":{\"jobs\":40},\"receipt\":\"r-1\"}"
              .formatted(tenant)
              .getBytes(StandardCharsets.UTF_8);
      TarArchiveEntry entry = new TarArchiveEntry("manifest.json");
      entry.setSize(manifest.length);
      tar.putArchiveEntry(entry);
      tar.write(manifest);
      tar.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  @Test
  void an_export_is_saved_for_its_owner_alone_if_it_came_whole() throws IOException {
    byte[] whole = archive("acme");
    server.on("POST /api/admin/tenants/acme/export", bytes(whole));
    Path file = folder.resolve("acme.tar.gz");
    Result result = cli.run("tenants", "export", "acme", "-o", file.toString(), "--objects");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("r-1");
    assertThat(file).hasBinaryContent(whole);
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    assertThat(server.seen().getFirst().body()).isEqualTo("{\"objects\":true}");
    assertThat(cli.run("tenants", "export", "acme", "-o", file.toString()).exit()).isEqualTo(2);

    server.on(
        "POST /api/admin/tenants/acme/export", bytes(Arrays.copyOf(whole, whole.length - 30)));
    Path part = folder.resolve("part.tar.gz");
    Result cut = cli.run("tenants", "export", "acme", "-o", part.toString());
    assertThat(cut.exit()).isEqualTo(2);
    assertThat(cut.err()).contains("not a whole one");
    assertThat(part).doesNotExist();
  }

  @Test
  void a_tenant_is_removed_after_a_question_with_the_receipt_of_its_export() throws IOException {
    Path file = folder.resolve("acme.tar.gz");
    Files.write(file, archive("acme"));
    server.on(
        "POST /api/admin/tenants/acme/remove",
        json(200, PLAN.formatted("null")),
        json(202, ACME.formatted("\"2026-01-01T00:00:00Z\"")));
    Result result = cli.run("tenants", "remove", "acme", "--export", file.toString(), "--yes");
    assertThat(result.exit()).isZero();
    assertThat(server.seen("POST /api/admin/tenants/acme/remove"))
        .extracting(FakeServer.Seen::body)
        .containsExactly(
            "{\"dry_run\":true,\"receipt\":\"r-1\"}", "{\"dry_run\":false,\"receipt\":\"r-1\"}");

    Files.write(file, archive("other"), java.nio.file.StandardOpenOption.TRUNCATE_EXISTING);
    Result foreign = cli.run("tenants", "remove", "acme", "--export", file.toString(), "--yes");
    assertThat(foreign.exit()).isEqualTo(2);
    assertThat(foreign.err()).contains("an export of the tenant other");
  }

  @Test
  void a_dry_run_removes_nothing_and_tells_what_is_in_the_way() {
    server.on(
        "POST /api/admin/tenants/acme/remove", json(200, PLAN.formatted("\"export_needed\"")));
    Result result = cli.run("tenants", "remove", "acme", "--dry-run");
    assertThat(result.out()).contains("40", "export needed");
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  void users_of_ones_own_and_of_any_tenant_are_listed() {
    String page =
        """
        {"items":[{"user":"ada","balance":1204,"held":3,"live_jobs":1,"stored_bytes":2000000,
          "last_seen_at":"2026-01-01T00:00:00Z"}],"next_cursor":null}
        """;
    server
        .on("GET /api/admin/users", json(200, page))
        .on("GET /api/admin/tenants/acme/users", json(200, page))
        .on("GET /api/admin/tenants/none/users", problem(404, "not_found", "Nothing here."));
    assertThat(cli.run("users", "--prefix", "a").out()).contains("ada", "1,204", "2.0 MB");
    assertThat(cli.run("users", "--tenant", "acme").out()).contains("ada");
    assertThat(cli.run("users", "--tenant", "none").exit()).isEqualTo(7);
  }
}
