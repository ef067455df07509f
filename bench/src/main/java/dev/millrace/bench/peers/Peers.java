package dev.millrace.bench.peers;

import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.scenario.Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Submits from 32 callers, jobs end to end, and the pickup by an idle worker, for each peer. */
public final class Peers implements Scenario {

  private static final int CALLERS = 32;
  private static final int WARM_UP = 20;
  private static final long PATIENCE_NANOS = 300_000_000_000L;

  private final Path folder;

  /**
   * Looks for peers.
   *
   * @param folder {@code bench/peers}
   */
  public Peers(Path folder) {
    this.folder = folder;
  }

  @Override
  public String letter() {
    return "peers";
  }

  @Override
  public String title() {
    return "Other job queues on this machine";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    List<Peer> peers = new ArrayList<>();
    if (Files.isDirectory(folder.resolve("java/target/lib"))) {
      peers.addAll(Peer.java(folder));
    } else {
      sheet.note("The peers for Java are not built, so db-scheduler and JobRunr are missing.");
    }
    Optional<Path> node = Programs.node(folder);
    if (node.isPresent() && Files.isDirectory(folder.resolve("node/node_modules"))) {
      peers.addAll(Peer.node(node.get(), folder));
    } else {
      sheet.note("Node or its packages are missing, and with them pg-boss and graphile-worker.");
    }
    for (Peer peer : peers) {
      if (peer.redis() && Programs.find("redis-server").isEmpty()) {
        sheet.note("There is no Redis on this machine, so BullMQ is missing.");
      } else {
        measureOrSay(peer, site, sizes, sheet);
      }
    }
  }

  /** One peer's trouble doesn't cost the others their figures. */
  private static void measureOrSay(Peer peer, Site site, Sizes sizes, Sheet sheet)
      throws InterruptedException {
    try {
      submits(peer, site, sizes, sheet);
      endToEnd(peer, site, sizes, sheet);
      pickup(peer, site, sizes, sheet);
    } catch (IOException | RuntimeException e) {
      sheet.note(peer.name() + " could not be measured: " + e.getMessage());
    }
  }

  private static void submits(Peer peer, Site site, Sizes sizes, Sheet sheet)
      throws IOException, InterruptedException {
    try (Store store = Store.of(peer, site)) {
      List<String> said = submit(peer, store, sizes);
      double rate = Double.parseDouble(said.get(1)) / Double.parseDouble(said.get(2));
      add(sheet, peer, "submit_per_s", "durable submits, 32 callers", rate, "submits/s");
    }
  }

  private static List<String> submit(Peer peer, Store store, Sizes sizes)
      throws IOException, InterruptedException {
    String said =
        call(
            store.process(
                peer,
                "submit",
                Integer.toString(CALLERS),
                Long.toString(sizes.span().warmUp().toMillis()),
                Long.toString(sizes.span().measure().toMillis())));
    return List.of(said.split(" ", -1));
  }

  /** Everything that was submitted, until the last of it was handled. */
  private static void endToEnd(Peer peer, Site site, Sizes sizes, Sheet sheet)
      throws IOException, InterruptedException {
    try (Store store = Store.of(peer, site);
        PeerWorker worker = new PeerWorker(store.process(peer, "work"))) {
      List<String> said = submit(peer, store, sizes);
      long submitted = Long.parseLong(said.getFirst());
      worker.await(submitted, PATIENCE_NANOS);
      // From its first submit, not from the start of its process, which takes a while.
      long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
      double rate = submitted / ((now - Long.parseLong(said.get(3))) / 1e6);
      add(sheet, peer, "e2e_per_s", "jobs end to end", rate, "jobs/s");
    }
  }

  private static void pickup(Peer peer, Site site, Sizes sizes, Sheet sheet)
      throws IOException, InterruptedException {
    try (Store store = Store.of(peer, site);
        PeerWorker worker = new PeerWorker(store.process(peer, "work"))) {
      int samples = WARM_UP + sizes.pickups();
      call(store.process(peer, "pace", Integer.toString(samples)));
      worker.await(samples, PATIENCE_NANOS);
      add(sheet, peer, "pickup.p50_ms", "pickup p50", worker.median(), "ms");
    }
  }

  private static void add(
      Sheet sheet, Peer peer, String metric, String label, double value, String unit) {
    sheet.add("peers." + peer.name() + "." + metric, peer.name() + ": " + label, value, unit);
  }

  static String call(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("it ended with " + process.exitValue() + " " + said);
    }
    List<String> lines = said.strip().lines().toList();
    return lines.isEmpty() ? "" : lines.getLast();
  }
}
