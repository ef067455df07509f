package dev.millrace.service.files;

import dev.millrace.postgres.files.DeletedFiles;
import dev.millrace.postgres.files.DeletedFiles.Deleted;
import dev.millrace.postgres.files.Files;
import dev.millrace.service.access.Principal;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files, and removes the objects of deleted ones. The latter can be done again at any time,
 * by anybody.
 */
public final class FileErasure {

  private static final Logger LOG = LoggerFactory.getLogger(FileErasure.class);

  private final Files files;
  private final DeletedFiles deleted;
  private final ObjectStore store;

  public FileErasure(Files files, DeletedFiles deleted, ObjectStore store) {
    this.files = files;
    this.deleted = deleted;
    this.store = store;
  }

  /** What becomes of the wish to delete a file. */
  public sealed interface Deletion {

    /**
     * It is gone for everybody.
     *
     * @param removed false if its objects could not be removed now, and will be later
     */
    record Done(Deleted file, boolean removed) implements Deletion {}

    /** A job that has not ended uses it. */
    record InUse() implements Deletion {}

    record Missing() implements Deletion {}
  }

  /** From the commit on the file is gone for everybody; what can't be removed now is later. */
  public Deletion delete(Principal by, UUID id) {
    if (deleted.inUse(by.tenant(), id) && files.find(by.visibility(), id).isPresent()) {
      return new Deletion.InUse();
    }
    return deleted
        .delete(by.visibility(), id)
        .<Deletion>map(file -> new Deletion.Done(file, erase(file)))
        .orElseGet(Deletion.Missing::new);
  }

  /** Removes what there is; false if the store can't now, and it will be tried again. */
  public boolean erase(Deleted file) {
    try {
      if (file.uploadId() != null) {
        store.parts().abort(file.key(), file.uploadId());
      }
      if (file.thumbnailKey() != null) {
        store.delete(file.thumbnailKey());
      }
      store.delete(file.key());
    } catch (ObjectStoreException e) {
      LOG.warn("A deleted file could not be removed and will be tried again", e);
      return false;
    }
    deleted.erased(file.tenant(), file.id());
    return true;
  }
}
