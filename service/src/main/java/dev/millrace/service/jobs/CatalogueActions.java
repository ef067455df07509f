package dev.millrace.service.jobs;

import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.reading.CheckedFile;
import dev.millrace.service.catalogue.reading.Reload;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** What an admin does with the catalogue: reads it again, checks a file, holds work back. */
public final class CatalogueActions {

  private final Offers offers;
  private final Pauses pauses;
  private final Audit audit;

  public CatalogueActions(Offers offers, Pauses pauses, Audit audit) {
    this.offers = offers;
    this.pauses = pauses;
    this.audit = audit;
  }

  /** Reads the files again; on a mistake everything stays as it was. */
  public Reload reload(Principal by) {
    Reload reload = offers.reload();
    if (reload instanceof Reload.Reloaded(var catalogue)) {
      String counts =
          JsonMapper.shared()
              .createObjectNode()
              .put("workflows", catalogue.workflows().size())
              .put("effects", catalogue.effects().size())
              .toString();
      audit.write(by.installationAudit("catalogue.reload", "catalogue", counts));
    }
    return reload;
  }

  /** What would come of a file of the catalogue; nothing changes. */
  public CheckedFile check(String name, String text) {
    return offers.check(name, text);
  }

  /** Jobs are taken in and wait; nothing if there is no such effect or workflow. */
  public Optional<Pauses.Standing> pause(Principal by, Pauses.Kind kind, String slug) {
    return pauses.pause(kind, by.installationAudit(word(kind) + ".pause", slug, null));
  }

  public Optional<Pauses.Standing> resume(Principal by, Pauses.Kind kind, String slug) {
    return pauses.resume(kind, by.installationAudit(word(kind) + ".resume", slug, null));
  }

  private static String word(Pauses.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
