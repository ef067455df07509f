package dev.millrace.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Background;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesPgTest {
  @TempDir Path folder;
  private Path cache;
  private Path dataDir;

  @BeforeEach
  void make_the_directories() throws IOException {
    cache = folder.resolve("cache");
    dataDir = Files.createDirectory(folder.resolve("data"));
  }

  @Test
  void two_that_unpack_at_once_share_one_whole_copy() throws Exception {
    Files.createDirectory(cache);
    Path crashedLongAgo = Files.createDirectory(cache.resolve(".unpacking-1"));
    Files.setLastModifiedTime(
        crashedLongAgo, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    var together = new CyclicBarrier(2);
    var one = Background.call(() -> provide(together));
    var other = Background.call(() -> provide(together));

    assertThat(one.join()).isEqualTo(other.join());
    assertThat(one.join().major()).isEqualTo(18);
    try (var files = Files.list(cache)) {
      assertThat(files).containsExactly(one.join().home());
    }
  }

  @Test
  void binaries_that_do_not_run_where_they_are_cached_are_unpacked_into_the_data_directory()
      throws Exception {
    Binaries broken = provide(new CyclicBarrier(1));
    Path program = Path.of(broken.program("postgres"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(provide(new CyclicBarrier(1)).home()).startsWith(dataDir);
  }

  /**
   * Both wait for each other where the first tells that it is about to unpack, so neither finds the
   * other's work done.
   */
  private Binaries provide(CyclicBarrier together) {
    var host = new Host(List.of(cache), true, Host.real().freePort());
    try {
      Account account = Account.choose(dataDir, Cluster.directory(dataDir), host);
      return Binaries.provide(dataDir, account, host, _ -> await(together));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
