package dev.millrace.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.postgres.JobOnAnyServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oldest PostgreSQL that is said to work does, where this machine has one. */
class OlderServerPgTest {

  private static final int OLDEST = 15;
  private static final int EMBEDDED = 18;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path folder;

  @AfterEach
  void nothing_is_left_running() {
    ChildJvm.assertNothingRunsOn(folder.resolve("data"));
  }

  @Test
  void a_job_lives_and_ends_on_the_oldest_server_that_is_here() throws Exception {
    Optional<Path> programs = oldest();
    assumeTrue(
        programs.isPresent(),
        ("NOT SHOWN HERE: that Millrace works on PostgreSQL %1$d, as it is said to. No PostgreSQL from"
                + " %1$d to %2$d is installed. To show it: sudo apt install postgresql-%1$d")
            .formatted(OLDEST, EMBEDDED - 1));
    Account account = Account.choose(folder, folder.resolve("data"), Host.real());
    Files.setAttribute(folder, "unix:uid", account.uid());
    int port = Host.real().freePort().getAsInt();
    Path bin = programs.get();
    succeeded(run(account, bin, "initdb", "--pgdata=data", "--username=postgres", "--auth=trust"));
    try {
      succeeded(
          run(
              account,
              bin,
              "pg_ctl",
              "start",
              "--wait",
              "--pgdata=data",
              "--log=log",
              "--options=-c port=%d -c listen_addresses=localhost -c fsync=off -c unix_socket_directories="
                  .formatted(port)));
      Command.Result child = jobOn(port);
      assertThat(child.output()).contains("COMPLETED");
      succeeded(child);
    } finally {
      run(account, bin, "pg_ctl", "stop", "--wait", "--mode=immediate", "--pgdata=data");
    }
  }

  private static Optional<Path> oldest() {
    return IntStream.range(OLDEST, EMBEDDED)
        .boxed()
        .flatMap(major ->
            Stream.of(
                Path.of("/usr/lib/postgresql/" + major + "/bin"),
                Path.of("/usr/pgsql-" + major + "/bin"),
                Path.of("/opt/homebrew/opt/postgresql@" + major + "/bin")))
        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
        .findFirst();
  }

  private Command.Result run(Account account, Path bin, String program, String... arguments) {
    List<String> words =
        Stream.concat(Stream.of(bin.resolve(program).toString()), Stream.of(arguments)).toList();
    return account.command(folder, words.toArray(String[]::new)).run(LIMIT);
  }

  /** In a process of its own, because the tests of this one share another server. */
  private Command.Result jobOn(int port) throws IOException {
    return new Command(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dmillrace.test.postgres.port=" + port,
                "-cp",
                System.getProperty("java.class.path"),
                JobOnAnyServer.class.getName()),
            folder.toRealPath())
        .run(LIMIT);
  }

  private static void succeeded(Command.Result result) {
    assertThat(result.exitCode()).as(result.output()).isZero();
  }
}
