package dev.millrace.cli.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One installation's folders and settings, and the processes that were started with them. */
final class Installation implements AutoCloseable {

  private final Path data;
  private final Path profiles;
  private final Path work;
  private final Map<String, String> variables = new TreeMap<>();
  private final List<RunningServer> servers = new ArrayList<>();

  /**
   * A new installation with a free port of the server's own choice. Its leases outlast the stalls
   * of a busy machine; a server that starts again doesn't wait for those of the one before.
   */
  Installation(Path folder) throws IOException {
    data = folder.resolve("data");
    profiles = folder.resolve("profiles");
    work = Files.createDirectories(folder.resolve("a place to work"));
    set("PROFILE_DIR", profiles.toString());
    set("DATA_DIR", data.toString());
    set("HTTP_PORT", "0");
    set("LEASE_SECONDS", "15");
    set("HEARTBEAT_SECONDS", "1");
    set("CANCEL_GRACE_SECONDS", "1");
    set("REAPER_INTERVAL_MILLIS", "200");
    set("DOCTOR_STATEMENT_TIMEOUT_SECONDS", "25");
    set("DOCTOR_LOCK_TIMEOUT_MILLIS", "25000");
    set("LOG_FORMAT", "json");
    set("QUOTA_ACTIVE_JOBS", "0");
    set("RATE_REQUESTS_PER_MINUTE", "0");
    set("RATE_UNAUTHENTICATED_PER_MINUTE", "0");
  }

  /** Sets a variable, named without its prefix, for the processes to come. */
  Installation set(String name, String value) {
    variables.put("MILLRACE_" + name, value);
    return this;
  }

  Path data() {
    return data;
  }

  /** Where the commands run, and where they leave files with relative names. */
  Path work() {
    return work;
  }

  Path profile() {
    return profiles.resolve("profile.properties");
  }

  /** Starts a server and waits until it says that it is ready. */
  RunningServer start() throws IOException {
    return launch().awaitReady();
  }

  /** Starts a server and waits for nothing. */
  RunningServer launch() throws IOException {
    int number = servers.size() + 1;
    Path out = work.resolve("server-" + number + ".out");
    Path err = work.resolve("server-" + number + ".err");
    RunningServer server =
        new RunningServer(Program.launch(work, variables, out, err, "start"), out, err, profile());
    servers.add(server);
    return server;
  }

  /** Runs a command of the newcomer, who has typed neither an address nor a key. */
  Program.Result cli(String... args) throws IOException, InterruptedException {
    return Program.run(work, variables, args);
  }

  /** Runs lines that a reader copies from a page into a shell, beside the script of a clone. */
  Program.Result shell(String lines) throws IOException, InterruptedException {
    Program.script(work);
    return Program.shell(work, variables, lines);
  }

  /** The PostgreSQL processes that work on this installation's data. */
  List<ProcessHandle> postgres() {
    return PostgresProcesses.of(data.resolve("postgres"));
  }

  @Override
  public void close() {
    servers.forEach(RunningServer::close);
    PostgresProcesses.end(data.resolve("postgres"));
  }
}
