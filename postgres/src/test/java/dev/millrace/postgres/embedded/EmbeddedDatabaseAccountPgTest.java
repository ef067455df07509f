package dev.millrace.postgres.embedded;

import static dev.millrace.postgres.embedded.DatabaseOwner.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Root can't run PostgreSQL and has to become somebody else; nobody else has to. */
class EmbeddedDatabaseAccountPgTest {
  @TempDir Path folder;

  @BeforeEach
  void only_root_can_become_somebody_else() {
    assumeTrue("root".equals(System.getProperty("user.name")), "needs root to switch accounts");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv");
  }

  @AfterEach
  void nothing_is_left_running() {
    ChildJvm.assertNothingRunsOn(Cluster.directory(dataDir()));
  }

  @Test
  void an_ordinary_user_without_a_home_runs_it_with_nothing_but_the_data_directory()
      throws Exception {
    open(folder);
    Path data = Files.createDirectory(dataDir());
    int nobody = 65534;
    Files.setAttribute(data, "unix:uid", nobody);
    var asNobody = becoming(nobody);
    try (var child = ChildJvm.start(asNobody, readableClassPath(), data)) {
      child.await("READY");
      child.kill();
    }
    assertThat(data.resolve("binaries")).isDirectory();
    // Root comes after an unprivileged owner: it finds the orphan, and leaves the files to their
    // owner.
    try (var database = EmbeddedDatabase.start(data, _ -> {})) {
      assertThat(DatabaseOwner.countKept(database)).isEqualTo(3);
    }
    assertThat(Tree.owner(data.resolve("postgres"))).isEqualTo(nobody);
    try (var child = ChildJvm.start(asNobody, readableClassPath(), data)) {
      child.await("READY");
      child.endInput();
      assertThat(child.await("DRAINED")).contains("3 rows");
      child.await("CLOSED");
    }
  }

  @Test
  void a_user_id_without_a_name_gets_one_in_a_namespace() throws Exception {
    int nameless = 54321;
    var namespace = new ArrayList<>(becoming(nameless));
    namespace.addAll(List.of("unshare", "-U", "true"));
    assumeTrue(
        new Command(namespace, Path.of("/")).run(Duration.ofSeconds(20)).succeeded(),
        "needs user namespaces for ordinary users");
    open(folder);
    Files.setAttribute(Files.createDirectory(dataDir()), "unix:uid", nameless);
    try (var child = ChildJvm.start(becoming(nameless), readableClassPath(), dataDir())) {
      child.await("READY");
      child.endInput();
      assertThat(child.await("DRAINED")).contains("3 rows");
      child.await("CLOSED");
    }
    assertThat(Tree.owner(dataDir().resolve("postgres"))).isEqualTo(nameless);
  }

  @Test
  void root_without_user_namespaces_hands_the_cluster_to_an_account() throws Exception {
    open(folder);
    var host = new Host(List.of(dataDir().resolve("cache")), false, Host.real().freePort());
    try (var database = EmbeddedDatabase.start(dataDir(), _ -> {}, host)) {
      DatabaseOwner.execute(database, "create table kept as select 42 as answer");
      assertThat(Tree.owner(dataDir().resolve("postgres"))).isNotZero();
    }
    try (var database = EmbeddedDatabase.start(dataDir(), _ -> {}, host)) {
      assertThat(query(database, "select answer from kept")).isEqualTo("42");
    }
  }

  @Test
  void a_cluster_made_in_a_user_namespace_moves_to_an_account_when_namespaces_are_gone()
      throws Exception {
    open(folder);
    try (var database = EmbeddedDatabase.start(dataDir(), _ -> {})) {
      DatabaseOwner.execute(database, "create table kept as select 42 as answer");
    }
    var host = new Host(List.of(), false, Host.real().freePort());
    try (var database = EmbeddedDatabase.start(dataDir(), _ -> {}, host)) {
      assertThat(query(database, "select answer from kept")).isEqualTo("42");
    }
  }

  @Test
  void root_with_no_way_out_is_told_so() {
    var host = new Host(List.of(), false, Host.real().freePort());

    // The temporary folder lets only root in.
    assertThatThrownBy(() -> EmbeddedDatabase.start(dataDir(), _ -> {}, host))
        .isInstanceOf(EmbeddedDatabaseException.class)
        .hasMessageContaining("refuses to run as root")
        .hasMessageContaining("MILLRACE_DATABASE_URL");
  }

  private static List<String> becoming(int uid) {
    return List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "--");
  }

  private Path dataDir() {
    return folder.resolve("data");
  }

  private static void open(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * The local Maven repository may lie in a home that others can't enter, so what is needed is
   * copied.
   */
  private String readableClassPath() throws IOException {
    Path copies = Files.createDirectories(folder.resolve("classpath"));
    var entries = new ArrayList<String>();
    int count = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path original = Path.of(entry);
      Path copy = copies.resolve(count++ + "-" + original.getFileName());
      if (Files.isDirectory(original)) {
        copyTree(original, copy);
      } else if (Files.exists(original) && !Files.exists(copy)) {
        Files.copy(original, copy);
      }
      entries.add(copy.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (var paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else if (!Files.exists(target)) {
          Files.copy(path, target);
        }
      }
    }
  }
}
