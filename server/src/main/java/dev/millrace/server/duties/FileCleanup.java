package dev.millrace.server.duties;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.records.DeletedFiles;
import dev.millrace.postgres.records.DeletedFiles.Deleted;
import dev.millrace.postgres.records.Uploads;
import dev.millrace.server.files.FileErasure;
import dev.millrace.server.objects.ObjectStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up files that were announced and never confirmed, and removes the objects of deleted files
 * that are still there, because the store was away or the server died in between.
 */
public final class FileCleanup implements Duty {

  /** An upload that began in its URL's last second may still be under way; it ends within this. */
  static final Duration GRACE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(FileCleanup.class);
  private static final int PAGE = 100;

  private final Uploads uploads;
  private final DeletedFiles deleted;
  private final FileErasure erasure;
  private final Duration grace;

  /** The usual one. */
  public static FileCleanup of(Database database, ObjectStore store) {
    DeletedFiles deleted = database.deletedFiles();
    return new FileCleanup(database.uploads(), deleted, new FileErasure(deleted, store), GRACE);
  }

  /**
   * Makes the duty.
   *
   * @param grace how long after its end an upload may still be confirmed
   */
  public FileCleanup(Uploads uploads, DeletedFiles deleted, FileErasure erasure, Duration grace) {
    this.uploads = uploads;
    this.deleted = deleted;
    this.erasure = erasure;
    this.grace = grace;
  }

  @Override
  public String name() {
    return "file-cleanup";
  }

  @Override
  public void run() {
    int given;
    do {
      given = uploads.giveUp(grace, PAGE);
      if (given > 0) {
        LOG.info("Gave up {} files that were announced and never confirmed", given);
      }
    } while (given == PAGE);
    @Nullable Deleted last = null;
    List<Deleted> page;
    do {
      page = deleted.left(last, PAGE);
      for (Deleted file : page) {
        erasure.erase(file);
        last = file;
      }
    } while (page.size() == PAGE);
  }
}
