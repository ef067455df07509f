package dev.millrace.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program: {@code Role PEER create}, {@code Role PEER submit CALLERS WARM_MS MEASURE_MS},
 * {@code Role PEER pace SAMPLES}, or {@code Role PEER work}. The database is named by
 * PEER_JDBC_URL, PEER_USER and PEER_PASSWORD.
 */
public final class Role {

  private static final String FILLING =
      "a photo of a lighthouse on a cliff at dawn, soft light, long exposure, wide angle, film,"
          + " detailed clouds, seed 123456789, thirty steps, upscaled twice, no people, no text";

  private final Peer peer;
  private final HikariDataSource database;

  private Role(Peer peer) {
    this.peer = peer;
    Map<String, String> environment = System.getenv();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(environment.get("PEER_JDBC_URL"));
    config.setUsername(environment.get("PEER_USER"));
    config.setPassword(environment.get("PEER_PASSWORD"));
    config.setMaximumPoolSize(peer.connections());
    this.database = new HikariDataSource(config);
  }

  public static void main(String[] args) throws Exception {
    Role role =
        new Role(
            switch (args[0]) {
              case "db-scheduler" -> new DbSchedulerPeer();
              case "jobrunr" -> new JobRunrPeer();
              default -> throw new IllegalArgumentException(args[0]);
            });
    switch (args[1]) {
      case "create" -> role.peer.create(role.database);
      case "submit" ->
          role.submit(Integer.parseInt(args[2]), Long.parseLong(args[3]), Long.parseLong(args[4]));
      case "pace" -> role.pace(Integer.parseInt(args[2]));
      case "work" -> role.work();
      default -> throw new IllegalArgumentException(args[1]);
    }
    System.exit(0);
  }

  /** About 300 bytes of JSON, which begin with the time. */
  private static String payload() {
    return "{\"sent\":%016d,\"tenant\":\"acme\",\"size\":\"1024x1024\",\"prompt\":\"%s\"}"
        .formatted(micros(), FILLING);
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /**
   * A closed loop. Says how many there were at all, how many were measured and in how many seconds,
   * and when it all began.
   */
  private void submit(int callers, long warmMillis, long measureMillis) throws Exception {
    peer.open(database);
    AtomicLong all = new AtomicLong();
    long began = micros();
    long start = System.nanoTime();
    long end = start + (warmMillis + measureMillis) * 1_000_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      threads.add(Thread.ofPlatform().start(() -> loop(end, all)));
    }
    Thread.sleep(warmMillis);
    long before = all.get();
    long from = System.nanoTime();
    Thread.sleep(measureMillis);
    long measured = all.get() - before;
    double seconds = (System.nanoTime() - from) / 1e9;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(all.get() + " " + measured + " " + seconds + " " + began);
  }

  private void loop(long end, AtomicLong all) {
    try {
      while (System.nanoTime() < end) {
        peer.submit(payload());
        all.incrementAndGet();
      }
    } catch (Exception e) {
      System.err.println(e);
      System.exit(1);
    }
  }

  /** One now and then, for an idle worker. */
  private void pace(int samples) throws Exception {
    peer.open(database);
    for (int i = 0; i < samples; i++) {
      peer.submit(payload());
      Thread.sleep(20 + (i * 37L) % 160);
    }
    System.out.println(samples);
  }

  /** Answers {@code count} with a number, and {@code times} with the p50 of the waits in ms. */
  private void work() throws Exception {
    AtomicLong count = new AtomicLong();
    ConcurrentLinkedQueue<Long> waits = new ConcurrentLinkedQueue<>();
    peer.work(
        database,
        payload -> {
          int start = payload.indexOf(':') + 1;
          waits.add(micros() - Long.parseLong(payload.substring(start, start + 16)));
          count.incrementAndGet();
        });
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      List<Long> sorted = waits.stream().sorted().toList();
      System.out.println(
          line.equals("count")
              ? Long.toString(count.get())
              : sorted.isEmpty() ? "0" : Double.toString(sorted.get(sorted.size() / 2) / 1e3));
    }
  }
}
