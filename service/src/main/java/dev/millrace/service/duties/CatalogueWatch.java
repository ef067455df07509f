package dev.millrace.service.duties;

import dev.millrace.service.catalogue.reading.Reload;
import dev.millrace.service.jobs.Offers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Picks up edited catalogue files. A mistake is reported once, and the old offers stay. */
public final class CatalogueWatch implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(CatalogueWatch.class);

  private final Offers offers;

  public CatalogueWatch(Offers offers) {
    this.offers = offers;
  }

  @Override
  public String name() {
    return "catalogue-watch";
  }

  @Override
  public void run() {
    if (!offers.changed()) {
      return;
    }
    switch (offers.reload()) {
      case Reload.Reloaded(var catalogue) ->
          LOG.info("Reloaded the catalogue: {} effects", catalogue.effects().size());
      case Reload.Rejected(var problems) ->
          problems.forEach(problem -> LOG.error("The catalogue stays as it was. {}", problem));
    }
  }
}
