package dev.millrace.service.jobs;

import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.service.observe.Paces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be asked for, with what is known about it now. */
public final class OfferedEffects {

  private final Offers offers;
  private final Pauses pauses;
  private final Paces paces;

  public OfferedEffects(Offers offers, Pauses pauses, Paces paces) {
    this.offers = offers;
    this.pauses = pauses;
    this.paces = paces;
  }

  /**
   * An effect on offer.
   *
   * @param pace how long its jobs take; null if none ended lately
   */
  public record Offered(Offer offer, boolean paused, Paces.@Nullable Pace pace) {}

  public List<Offered> list() {
    Set<String> paused = pauses.effects();
    Map<Integer, Paces.Pace> known = paces.all();
    return offers.all().stream().map(offer -> offered(offer, paused, known)).toList();
  }

  public Optional<Offered> find(String slug) {
    return offers.find(slug).map(offer -> offered(offer, pauses.effects(), paces.all()));
  }

  private static Offered offered(Offer offer, Set<String> paused, Map<Integer, Paces.Pace> paces) {
    return new Offered(
        offer, paused.contains(offer.effect().slug()), paces.get(offer.terms().effectId()));
  }
}
