package dev.millrace.bench.peers;

import dev.millrace.bench.place.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a peer keeps its jobs, empty at first: a database of its own, and a Redis if it wants. */
final class Store implements AutoCloseable {

  private final Site site;
  private final String database;
  private final @Nullable Process redis;
  private final int redisPort;

  private Store(Site site, String database, @Nullable Process redis, int redisPort) {
    this.site = site;
    this.database = database;
    this.redis = redis;
    this.redisPort = redisPort;
  }

  static Store of(Peer peer, Site site) throws IOException, InterruptedException {
    String database = site.emptyDatabase();
    if (!peer.redis()) {
      Store store = new Store(site, database, null, 0);
      Peers.call(store.process(peer, "create"));
      return store;
    }
    int port = freePort();
    return new Store(site, database, startRedis(site, port), port);
  }

  ProcessBuilder process(Peer peer, String... role) {
    return peer.process(site, database, redisPort, role);
  }

  /** As durable as PostgreSQL is: every write is on disk before it is answered. */
  private static Process startRedis(Site site, int port) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(site.folder(), "redis-");
    List<String> words =
        List.of(
            Programs.find("redis-server").orElseThrow().toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--dir",
            folder.toString(),
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--maxmemory-policy",
            "noeviction");
    Process process =
        new ProcessBuilder(words).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    for (int tries = 0; !answers(port); tries++) {
      if (tries > 200) {
        process.destroyForcibly();
        throw new IOException("Redis does not answer");
      }
      Thread.sleep(50);
    }
    return process;
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    if (redis != null) {
      redis.destroyForcibly();
    }
    site.drop(database);
  }
}
