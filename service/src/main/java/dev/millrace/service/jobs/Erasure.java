package dev.millrace.service.jobs;

import dev.millrace.postgres.jobs.DeletedJobFiles;
import dev.millrace.postgres.jobs.DeletedJobFiles.Leftover;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what a deleted job leaves behind: its objects, and its input. It can be done again at any
 * time, by anybody, until nothing is left.
 */
public final class Erasure {

  private static final Logger LOG = LoggerFactory.getLogger(Erasure.class);

  private final DeletedJobFiles leftovers;
  private final ObjectStore store;

  public Erasure(DeletedJobFiles leftovers, ObjectStore store) {
    this.leftovers = leftovers;
    this.store = store;
  }

  /**
   * What could be removed.
   *
   * @param removed files, of which a thumbnail is a part
   * @param bytes their size, without thumbnails
   * @param failed files that are still there and will be tried again
   */
  public record Tally(int removed, long bytes, int failed) {

    private Tally with(Leftover file) {
      return new Tally(removed + 1, bytes + file.size(), failed);
    }

    private Tally without() {
      return new Tally(removed, bytes, failed + 1);
    }
  }

  /** Removes what there is of a job that was deleted. */
  public Tally erase(int tenant, String tenantSlug, UUID job) {
    leftovers.forget(tenant, job);
    Tally tally = new Tally(0, 0, 0);
    for (Leftover file : leftovers.filesOf(tenant, job)) {
      if (removed(file)) {
        leftovers.removed(tenant, file.id());
        tally = tally.with(file);
      } else {
        tally = tally.without();
      }
    }
    if (tally.failed() == 0 && swept(tenantSlug, job)) {
      leftovers.cleaned(tenant, job);
    }
    return tally;
  }

  private boolean removed(Leftover file) {
    try {
      if (file.thumbnailKey() != null) {
        store.delete(file.thumbnailKey());
      }
      store.delete(file.key());
      return true;
    } catch (ObjectStoreException e) {
      LOG.warn("A file of a deleted job could not be removed and will be tried again", e);
      return false;
    }
  }

  /** An attempt that was cut off may have stored what no row knows. */
  private boolean swept(String tenantSlug, UUID job) {
    try {
      store.deletePrefix(ObjectKeys.jobPrefix(tenantSlug, job.toString()));
      return true;
    } catch (ObjectStoreException e) {
      LOG.warn("The rest of a deleted job could not be removed and will be tried again", e);
      return false;
    }
  }
}
