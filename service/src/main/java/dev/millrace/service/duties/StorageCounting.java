package dev.millrace.service.duties;

import dev.millrace.postgres.files.StorageUse;
import java.util.Optional;

/**
 * Counts the bytes of users whose wallets are older than that count, once after each start. Newer
 * wallets are counted from their first file on.
 */
public final class StorageCounting implements Duty {

  private static final int PAGE = 100;

  private final StorageUse uses;
  private Optional<Long> last = Optional.of(0L);

  public StorageCounting(StorageUse uses) {
    this.uses = uses;
  }

  @Override
  public String name() {
    return "storage-counting";
  }

  @Override
  public void run() throws InterruptedException {
    while (last.isPresent()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("there are wallets left, for the next start");
      }
      last = uses.countOld(last.get(), PAGE);
    }
  }
}
