package dev.millrace.service.files;

import dev.millrace.postgres.files.DeletedFiles;
import dev.millrace.postgres.files.DeletedFiles.Deleted;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the objects of deleted files. It can be done again at any time, by anybody. */
public final class FileErasure {

  private static final Logger LOG = LoggerFactory.getLogger(FileErasure.class);

  private final DeletedFiles deleted;
  private final ObjectStore store;

  public FileErasure(DeletedFiles deleted, ObjectStore store) {
    this.deleted = deleted;
    this.store = store;
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
