package dev.millrace.service.duties;

import dev.millrace.postgres.jobs.DeletedJobFiles;
import dev.millrace.postgres.jobs.DeletedJobFiles.Deleted;
import dev.millrace.service.jobs.Erasure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what deleted jobs left behind because the store was away, or because the server died
 * between deleting and removing. One that can't be cleaned doesn't keep the others waiting.
 */
public final class Cleanup implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
  private static final int PAGE = 100;

  private final DeletedJobFiles leftovers;
  private final Erasure erasure;

  public Cleanup(DeletedJobFiles leftovers, Erasure erasure) {
    this.leftovers = leftovers;
    this.erasure = erasure;
  }

  @Override
  public String name() {
    return "cleanup";
  }

  @Override
  public void run() {
    @Nullable Deleted last = null;
    List<Deleted> page;
    do {
      page = leftovers.find(last, PAGE);
      for (Deleted job : page) {
        clean(job);
        last = job;
      }
    } while (page.size() == PAGE);
  }

  private void clean(Deleted job) {
    try {
      Erasure.Tally tally = erasure.erase(job.tenant(), job.tenantSlug(), job.id());
      if (tally.removed() > 0) {
        LOG.info("Removed {} files that deleted job {} left behind", tally.removed(), job.id());
      }
    } catch (RuntimeException e) {
      LOG.warn("Deleted job {} could not be cleaned up and will be tried again", job.id(), e);
    }
  }
}
