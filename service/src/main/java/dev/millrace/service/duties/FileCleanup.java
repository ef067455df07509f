package dev.millrace.service.duties;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.files.DeletedFiles;
import dev.millrace.postgres.files.DeletedFiles.Deleted;
import dev.millrace.postgres.files.Uploads;
import dev.millrace.service.files.FileErasure;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.PartedUploads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up files that were announced and never confirmed, and removes the objects of deleted files
 * that are still there, because the store was away or the server died in between. What began to
 * come in parts and has no row, such as a worker's output, is abandoned when it is old.
 */
public final class FileCleanup implements Duty {

  /** An upload that began in its URL's last second may still be under way; it ends within this. */
  static final Duration GRACE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(FileCleanup.class);
  private static final int PAGE = 100;
  private static final Duration PARTS_PAUSE = Duration.ofHours(1);

  private final Uploads uploads;
  private final DeletedFiles deleted;
  private final FileErasure erasure;
  private final Duration grace;
  private final PartedUploads parts;
  private final InstantSource clock;
  private Instant looked = Instant.EPOCH;

  /** The usual one. */
  public static FileCleanup of(Database database, FileErasure erasure, ObjectStore store) {
    return new FileCleanup(
        database.uploads(),
        database.deletedFiles(),
        erasure,
        GRACE,
        store.parts(),
        InstantSource.system());
  }

  /**
   * Makes the duty.
   *
   * @param grace how long after its end an upload may still be confirmed
   */
  FileCleanup(
      Uploads uploads,
      DeletedFiles deleted,
      FileErasure erasure,
      Duration grace,
      PartedUploads parts,
      InstantSource clock) {
    this.parts = parts;
    this.clock = clock;
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
    abandon();
  }

  /** Looking through a bucket is slow, and nothing here is urgent. */
  private void abandon() {
    Instant now = clock.instant();
    if (now.isBefore(looked.plus(PARTS_PAUSE))) {
      return;
    }
    looked = now;
    int abandoned = parts.abandon(PartedUploads.LONGEST.plus(grace));
    if (abandoned > 0) {
      LOG.info("Gave up {} uploads in parts that nobody finished", abandoned);
    }
  }
}
