package dev.millrace.bench.peers;

import dev.millrace.bench.place.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Another job queue.
 *
 * @param command how its program is started, up to the peer's name
 * @param redis whether it keeps its jobs there instead of in PostgreSQL
 */
record Peer(String name, List<String> command, boolean redis) {

  /** They have no logger, and that is no news. */
  private static final String QUIET = "-Dslf4j.internal.verbosity=ERROR";

  /** Those for Java. */
  static List<Peer> java(Path peers) {
    String program = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String jars = peers.resolve("java/target/lib") + "/*";
    return List.of("db-scheduler", "jobrunr").stream()
        .map(name ->
            new Peer(
                name,
                List.of(program, "-Xmx512m", QUIET, "-cp", jars, "dev.millrace.peers.Role", name),
                false))
        .toList();
  }

  /** Those for Node. */
  static List<Peer> node(Path node, Path peers) {
    String script = peers.resolve("node/role.mjs").toString();
    return List.of("pg-boss", "graphile-worker", "bullmq").stream()
        .map(name -> new Peer(name, List.of(node.toString(), script, name), name.equals("bullmq")))
        .toList();
  }

  ProcessBuilder process(Site site, String database, int redisPort, String... role) {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(role));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Map<String, String> environment = builder.environment();
    environment.put("PEER_JDBC_URL", site.jdbcUrl(database));
    environment.put("PEER_USER", site.user());
    environment.put("PEER_PASSWORD", site.password());
    environment.put("PEER_URL", site.url(database));
    environment.put("PEER_REDIS_PORT", Integer.toString(redisPort));
    return builder;
  }
}
