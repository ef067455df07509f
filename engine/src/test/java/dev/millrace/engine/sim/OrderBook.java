package dev.millrace.engine.sim;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Draws orders and results. */
final class OrderBook {

  private static final Duration WINDOW = Duration.ofSeconds(60);

  private final Chance chance;
  private final Climate climate;

  OrderBook(Chance chance, Climate climate) {
    this.chance = chance;
    this.climate = climate;
  }

  SubmitJob draw(Wallet.Owner owner, int effect, @Nullable String key, @Nullable Instant runAt) {
    SubmitJob.Terms terms = Catalogue.EFFECTS.get(effect);
    boolean deduplicated = Catalogue.DEDUPLICATED.contains(terms.effectId());
    int limit = climate.limit();
    return new SubmitJob(
        chance.uuid(),
        owner,
        terms,
        deduplicated
            ? new SubmitJob.Identity(null, "f" + effect, WINDOW)
            : new SubmitJob.Identity(key, "f" + effect, null),
        new SubmitJob.Request("{}", chance.below(3), runAt, Changes.Links.NONE),
        limit == 0 ? QuotaUse.Limits.UNSET : new QuotaUse.Limits(limit, limit * 3),
        chance.percent(5) ? new SubmitJob.Denial("violence", "No.") : null);
  }

  /** The same request; the server gives each a new id, and only a key makes them one. */
  static SubmitJob again(SubmitJob first, UUID id) {
    return new SubmitJob(
        id,
        first.owner(),
        first.terms(),
        first.identity(),
        new SubmitJob.Request(first.input(), first.priority(), first.runAt(), first.links()),
        first.limits(),
        first.denial());
  }

  List<OutputFile> outputs() {
    List<OutputFile> files = new ArrayList<>();
    for (int i = chance.between(1, 3); i > 0; i--) {
      UUID id = chance.uuid();
      files.add(
          new OutputFile(
              id,
              "k" + id,
              "a.png",
              new OutputFile.Content("image/png", 3, "ab".repeat(32)),
              new OutputFile.Picture(1, 1, null),
              null));
    }
    return files;
  }
}
