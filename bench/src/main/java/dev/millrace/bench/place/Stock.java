package dev.millrace.bench.place;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.catalogue.CatalogueIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * What every database of a run has: some workflows with an effect each, and many users of some
 * tenants with more credits than they can spend. Several tenants and workflows, so that whoever
 * commits one command at a time doesn't queue for one tenant's place.
 */
public record Stock(List<Queue> queues, List<Wallet.Owner> users) {

  public static final int QUEUES = 8;
  public static final int TENANTS = 200;
  public static final int USERS_EACH = 5;
  public static final long COST = 5;
  public static final long CREDITS = 1_000_000_000L;

  /** Long enough that nothing ends by itself while it is measured. */
  public static final Timings TIMINGS =
      new Timings(
          Duration.ofHours(2),
          Duration.ofHours(2),
          Duration.ofDays(1),
          Duration.ofMinutes(10),
          new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5)));

  /** A workflow and its effect. */
  public record Queue(int workflow, int effect) {}

  public Stock {
    queues = List.copyOf(queues);
    users = List.copyOf(users);
  }

  static Stock fill(Database database) {
    List<CatalogueIds.WorkflowRow> workflows = new ArrayList<>();
    List<CatalogueIds.EffectRow> effects = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      workflows.add(new CatalogueIds.WorkflowRow("bench-" + i, 1, "worker"));
      effects.add(new CatalogueIds.EffectRow("bench-" + i, "bench-" + i, COST));
    }
    CatalogueIds.Ids ids = database.catalogueIds().store(workflows, effects);
    List<Queue> queues =
        IntStream.range(0, QUEUES)
            .mapToObj(i -> "bench-" + i)
            .map(slug ->
                new Queue(
                    Objects.requireNonNull(ids.workflows().get(slug)),
                    Objects.requireNonNull(ids.effects().get(slug))))
            .toList();
    List<Wallet.Owner> users = new ArrayList<>();
    for (int t = 0; t < TENANTS; t++) {
      int tenant = database.tenants().ensure("tenant-" + t);
      for (int u = 0; u < USERS_EACH; u++) {
        users.add(new Wallet.Owner(tenant, "user-" + t + "-" + u));
      }
    }
    pay(database, users);
    return new Stock(queues, users);
  }

  /** Gives each of them credits. */
  public static void pay(Database database, List<Wallet.Owner> users) {
    try (Engine engine = engine(database, 256, _ -> {});
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Wallet.Owner user : users) {
        threads.execute(
            () -> engine.topUp(new TopUp(user, CREDITS, UUID.randomUUID().toString(), null)));
      }
    }
  }

  static Engine engine(Database database, int maxBatch, Engine.Listener listener) {
    return new Engine(
        database.store(),
        TIMINGS,
        new Engine.LaneSizes(maxBatch, 100_000),
        UUID::randomUUID,
        listener);
  }
}
