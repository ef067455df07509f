package dev.millrace.postgres.embedded;

import static dev.millrace.postgres.embedded.DatabaseOwner.execute;
import static dev.millrace.postgres.embedded.DatabaseOwner.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One database, started and stopped as it should be. */
class EmbeddedDatabasePgTest {
  @TempDir Path folder;

  @AfterEach
  void nothing_is_left_running() throws IOException {
    clusters().forEach(ChildJvm::assertNothingRunsOn);
  }

  @Test
  void a_database_keeps_its_rows_from_one_start_to_the_next() throws Exception {
    try (var database = start(folder)) {
      execute(database, "create table kept as select 42 as answer");
    }
    try (var database = start(folder)) {
      assertThat(query(database, "select answer from kept")).isEqualTo("42");
      assertThat(database.isRunning()).isTrue();
    }
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "millrace.lock", "postgres", "postgres.log", "postgres.log.1", "postgres.password");
    }
  }

  @Test
  void what_is_committed_is_on_disk_and_text_is_unicode() throws Exception {
    try (var database = start(folder)) {
      assertThat(query(database, "show server_version_num")).startsWith("18");
      assertThat(query(database, "show fsync")).isEqualTo("on");
      assertThat(query(database, "show synchronous_commit")).isEqualTo("on");
      assertThat(query(database, "show full_page_writes")).isEqualTo("on");
      assertThat(query(database, "show data_checksums")).isEqualTo("on");
      assertThat(query(database, "show server_encoding")).isEqualTo("UTF8");
      assertThat(query(database, "select upper('m\u00fchle')")).isEqualTo("M\u00dcHLE");
      assertThat(query(database, "show shared_buffers")).isEqualTo("256MB");
      assertThat(query(database, "show log_timezone")).isEqualTo("UTC");
    }
  }

  @Test
  void only_this_machine_with_the_password_gets_in() throws Exception {
    try (var database = start(folder)) {
      assertThat(query(database, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(query(database, "show unix_socket_directories")).isEmpty();
      assertThatThrownBy(() ->
              DriverManager.getConnection(database.jdbcUrl(), database.user(), "guessed").close())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password authentication failed");
      assertThat(database.toString()).doesNotContain(database.password());
    }
    assertThat(Files.getPosixFilePermissions(folder.resolve("postgres.password")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void a_lost_password_is_replaced_without_losing_the_data() throws Exception {
    String lost;
    try (var database = start(folder)) {
      execute(database, "create table kept as select 42 as answer");
      lost = database.password();
    }
    Files.delete(folder.resolve("postgres.password"));
    try (var database = start(folder)) {
      assertThat(database.password()).isNotEqualTo(lost);
      assertThat(query(database, "select answer from kept")).isEqualTo("42");
    }
  }

  @Test
  void a_directory_name_may_hold_spaces_quotes_and_umlauts() throws Exception {
    Path odd = folder.resolve("M\u00fchle \"am\" $Bach's `Ufer`");
    try (var database = start(odd)) {
      assertThat(query(database, "select 1")).isEqualTo("1");
    }
    try (var database = start(odd)) {
      assertThat(query(database, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void a_taken_port_is_replaced_by_a_free_one() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Host real = Host.real();
      var asked = new AtomicInteger();
      var host =
          new Host(
              real.caches(),
              real.userNamespaces(),
              () ->
                  asked.getAndIncrement() == 0 ? taken.getLocalPort() : real.freePort().getAsInt());
      try (var database = EmbeddedDatabase.start(folder, _ -> {}, host)) {
        // Once more if somebody was quicker to take the free one.
        assertThat(asked).hasValueGreaterThanOrEqualTo(2);
        assertThat(database.port()).isNotEqualTo(taken.getLocalPort());
        assertThat(query(database, "select 1")).isEqualTo("1");
      }
    }
  }

  @Test
  void closing_twice_or_on_an_interrupted_thread_stops_the_server_and_keeps_the_interrupt() {
    var database = start(folder);
    Thread.currentThread().interrupt();
    database.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(database.isRunning()).isFalse();
    assertThat(database.postmaster().pids()).isEmpty();
    database.close();
  }

  @Test
  void the_same_process_can_not_open_a_directory_twice_and_trying_does_not_loosen_the_lock()
      throws Exception {
    try (var _ = start(folder)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> start(folder))
            .isInstanceOf(EmbeddedDatabaseException.class)
            .hasMessageContaining(folder.toRealPath().toString())
            .hasMessageContaining("process " + ProcessHandle.current().pid());
      }
      try (var child = ChildJvm.owning(folder)) {
        assertThat(child.await("REFUSED")).contains("in use by another Millrace");
      }
    }
  }

  @Test
  void a_cluster_of_another_major_version_is_refused_untouched() throws Exception {
    Path cluster = Files.createDirectories(folder.resolve("postgres"));
    Files.writeString(cluster.resolve("PG_VERSION"), "17\n");

    assertThatThrownBy(() -> start(folder))
        .isInstanceOf(EmbeddedDatabaseException.class)
        .hasMessageContaining("PostgreSQL 17")
        .hasMessageContaining("PostgreSQL 18")
        .hasMessageContaining(cluster.toRealPath().toString());
    try (var files = Files.list(cluster)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void a_server_that_does_not_start_says_why_and_leaves_the_directory_free() throws Exception {
    start(folder).close();
    Path settings = folder.resolve("postgres").resolve("postgresql.conf");
    String good = Files.readString(settings);
    Files.writeString(settings, "no_such_setting = 1\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> start(folder))
        .isInstanceOf(EmbeddedDatabaseException.class)
        .hasMessageContaining("no_such_setting")
        .hasMessageContaining("postgres.log");

    Files.writeString(settings, good);
    start(folder).close();
  }

  @Test
  void a_path_that_is_no_directory_is_refused_with_advice() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> start(file))
        .isInstanceOf(EmbeddedDatabaseException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("choose another data directory");
  }

  @Test
  void a_half_made_database_is_swept_away_and_made_anew() throws Exception {
    Path half = Files.createDirectories(folder.resolve("postgres.new-123").resolve("base"));
    Files.writeString(half.resolve("1"), "torn");
    var told = new ArrayList<String>();
    try (var database = EmbeddedDatabase.start(folder, told::add)) {
      assertThat(query(database, "select 1")).isEqualTo("1");
    }
    assertThat(half).doesNotExist();
    assertThat(told).anyMatch(sentence -> sentence.startsWith("Creating a database in"));
  }

  private static EmbeddedDatabase start(Path dataDir) {
    return EmbeddedDatabase.start(dataDir, _ -> {});
  }

  private List<Path> clusters() throws IOException {
    try (var paths = Files.find(folder, 2, (path, _) -> path.endsWith("postgres"))) {
      return paths.toList();
    }
  }
}
