package dev.millrace.postgres.embedded;

import static dev.millrace.postgres.embedded.DatabaseOwner.countKept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that die, and what the next start makes of it. */
class EmbeddedDatabaseCrashPgTest {
  @TempDir Path folder;

  @AfterEach
  void nothing_is_left_running() {
    ChildJvm.assertNothingRunsOn(Cluster.directory(folder));
  }

  /** Whoever is asked to end while a large log is replayed doesn't wait for that. */
  @Test
  void an_interrupt_gives_up_a_start_that_waits_for_recovery_and_leaves_no_process()
      throws Exception {
    EmbeddedDatabase.start(folder, _ -> {}).close();
    Path cluster = Cluster.directory(folder);
    Files.writeString(
        cluster.resolve("postgresql.auto.conf"),
        "restore_command = 'while test -e recovery.signal; do sleep 1; done; false'\n",
        StandardOpenOption.APPEND);
    Path signal = Files.createFile(cluster.resolve("recovery.signal"));
    Files.setOwner(signal, Files.getOwner(cluster));
    var processes = new ClusterProcesses(cluster);
    var trouble = new CompletableFuture<Throwable>();
    Thread start =
        Thread.ofVirtual()
            .start(() -> {
              try {
                EmbeddedDatabase.start(folder, _ -> {}).close();
                trouble.complete(new AssertionError("it started"));
              } catch (EmbeddedDatabaseException e) {
                trouble.complete(e);
              }
            });
    await().atMost(Duration.ofMinutes(1)).until(() -> processes.postmaster().isPresent());

    start.interrupt();

    assertThat(trouble.get(1, TimeUnit.MINUTES)).hasMessageContaining("given up");
    assertThat(processes.all()).isEmpty();
  }

  @Test
  void a_second_process_is_refused_at_once_and_told_who_is_first() throws Exception {
    try (var first = ChildJvm.owning(folder)) {
      first.await("READY");
      try (var second = ChildJvm.owning(folder)) {
        assertThat(second.await("REFUSED"))
            .contains(folder.toRealPath().toString())
            .contains("process " + first.pid())
            .contains("Stop that one first");
      }
      first.endInput();
      assertThat(first.await("DRAINED")).contains("3 rows");
      first.await("CLOSED");
    }
  }

  @Test
  void a_killed_process_loses_no_committed_row_and_its_orphan_makes_way() throws Exception {
    try (var child = ChildJvm.owning(folder)) {
      child.await("READY");
      child.kill();
    }
    long orphan = processes().postmaster().orElseThrow().pid();
    var told = new ArrayList<String>();
    try (var database = EmbeddedDatabase.start(folder, told::add)) {
      assertThat(countKept(database)).isEqualTo(3);
      assertThat(told).anyMatch(sentence -> sentence.contains("left behind"));
      assertThat(database.postmaster().pids()).doesNotContain(orphan);
      assertThat(postmasters()).hasSize(1);
    }
  }

  @Test
  void ctrl_c_reaches_the_application_but_not_its_database() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setsid")), "needs setsid for a process group");
    // A shell that runs things in the background lets them ignore SIGINT; env undoes that.
    List<String> group = List.of("setsid", "env", "--default-signal=INT");
    try (var child = ChildJvm.start(group, System.getProperty("java.class.path"), folder)) {
      child.await("READY");
      child.interruptGroup();
      assertThat(child.await("DRAINED")).contains("3 rows");
      child.await("CLOSED");
    }
  }

  @Test
  void a_postmaster_that_is_killed_beside_a_busy_backend_leaves_no_row_behind() throws Exception {
    var first = EmbeddedDatabase.start(folder, _ -> {});
    DatabaseOwner.execute(first, "create table kept as select generate_series(1, 3) as id");
    // A busy backend outlives its postmaster, and PostgreSQL would refuse to start beside it.
    try (var connection =
            DriverManager.getConnection(first.jdbcUrl(), first.user(), first.password());
        var statement = connection.createStatement()) {
      var busy = Thread.ofVirtual().start(() -> runForever(statement));
      waitForBusyBackend(first);
      var postmaster = processes().postmaster().orElseThrow();
      postmaster.destroyForcibly();
      postmaster.onExit().join();
      first.close();
      busy.join();
    }
    try (var database = EmbeddedDatabase.start(folder, _ -> {})) {
      assertThat(countKept(database)).isEqualTo(3);
      assertThat(postmasters()).hasSize(1);
    }
  }

  @Test
  void a_stale_pid_file_that_names_a_living_stranger_harms_neither() throws Exception {
    EmbeddedDatabase.start(folder, _ -> {}).close();
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      long startedAt = System.currentTimeMillis() / 1000;
      Files.writeString(
          processes().pidFilePath(),
          "%d\n%s\n%d\n5432\n\n127.0.0.1\n  1 1\nready   \n"
              .formatted(stranger.pid(), folder.resolve("postgres"), startedAt));
      try (var database = EmbeddedDatabase.start(folder, _ -> {})) {
        assertThat(DatabaseOwner.query(database, "select 1")).isEqualTo("1");
      }
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_postgres_on_another_directory_is_a_stranger_too() throws Exception {
    Path other = folder.resolve("other");
    Path mine = folder.resolve("mine");
    try (var stranger = EmbeddedDatabase.start(other, _ -> {})) {
      EmbeddedDatabase.start(mine, _ -> {}).close();
      Files.copy(
          new ClusterProcesses(Cluster.directory(other)).pidFilePath(),
          new ClusterProcesses(Cluster.directory(mine)).pidFilePath());
      EmbeddedDatabase.start(mine, _ -> {}).close();
      assertThat(DatabaseOwner.query(stranger, "select 1")).isEqualTo("1");
    }
    ChildJvm.assertNothingRunsOn(Cluster.directory(other));
    ChildJvm.assertNothingRunsOn(Cluster.directory(mine));
  }

  @Test
  void a_torn_pid_file_is_no_obstacle() throws Exception {
    EmbeddedDatabase.start(folder, _ -> {}).close();
    Files.writeString(processes().pidFilePath(), "12");
    EmbeddedDatabase.start(folder, _ -> {}).close();
  }

  private ClusterProcesses processes() {
    return new ClusterProcesses(Cluster.directory(folder));
  }

  /**
   * A postmaster is a process of the cluster whose parent is not one. A backend that ended
   * meanwhile has no parent any more, so it is asked after that whether it still lives.
   */
  private List<ProcessHandle> postmasters() {
    var all = processes().all();
    return all.stream()
        .filter(process -> process.parent().filter(all::contains).isEmpty() && process.isAlive())
        .toList();
  }

  private static void runForever(Statement statement) {
    try {
      statement.execute("do $$ begin loop end loop; end $$");
    } catch (SQLException _) {
      // The backend is stopped with the database, which is the point.
    }
  }

  private static void waitForBusyBackend(EmbeddedDatabase database) throws Exception {
    String busy =
        "select count(*) from pg_stat_activity where query like 'do %' and state = 'active'";
    while (!DatabaseOwner.query(database, busy).equals("1")) {
      Thread.onSpinWait();
    }
  }
}
