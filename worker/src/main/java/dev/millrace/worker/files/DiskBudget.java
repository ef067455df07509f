package dev.millrace.worker.files;

import dev.millrace.spi.executor.JobFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much of the disk running jobs may take together. */
public final class DiskBudget {

  /** Never filled, whatever the budget says: a full disk harms more than this worker. */
  static final long RESERVE = 64L * 1024 * 1024;

  private final Path folder;
  private final long bytes;

  public DiskBudget(Path folder, long bytes) {
    this.folder = folder;
    this.bytes = bytes;
  }

  /** How many more bytes may be written. */
  public long left() {
    try {
      long inBudget = bytes - WorkFolder.size(folder);
      long onDisk = Files.getFileStore(folder).getUsableSpace() - RESERVE;
      return Math.max(0, Math.min(inBudget, onDisk));
    } catch (IOException _) {
      return 0;
    }
  }

  /**
   * Makes sure that there is room.
   *
   * @throws JobFailure an interruption if there is none now, a permanent one if there never is
   */
  public void require(long wanted) throws JobFailure {
    if (wanted > bytes) {
      throw JobFailure.permanent("the files are larger than this worker's disk budget");
    }
    if (wanted > left()) {
      throw JobFailure.interrupted("the worker's disk is full");
    }
  }
}
