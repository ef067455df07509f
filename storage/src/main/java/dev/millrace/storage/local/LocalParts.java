package dev.millrace.storage.local;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.storage.DurableFiles;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.PartAddress;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Parts as files: below the key of the object that they will be, a folder for each upload, and in
 * it a file for each part. A part's tag is its SHA-256.
 */
final class LocalParts implements PartedUploads {

  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int BEGIN_TRIES = 100;
  private static final int BUFFER_BYTES = 64 << 10;

  private final LocalObjectStore store;
  private final Path root;
  private final LocalTree tree;

  /**
   * @param root for nothing but parts
   */
  LocalParts(LocalObjectStore store, Path root) throws IOException {
    this.store = store;
    DurableFiles.createDirectories(root);
    this.root = root;
    this.tree = new LocalTree(root);
  }

  @Override
  public String begin(String key, String mediaType) {
    String id = UUID.randomUUID().toString();
    Path folder = tree.resolve(key).resolve(id);
    for (int tries = 1; ; tries++) {
      try {
        Files.createDirectories(folder);
        return id;
      } catch (NoSuchFileException e) {
        // Whoever gives up an upload beside this one may take away a folder that was just made.
        if (tries == BEGIN_TRIES) {
          throw ObjectStoreException.of("begin " + key, e);
        }
      } catch (IOException e) {
        throw ObjectStoreException.of("begin " + key, e);
      }
    }
  }

  @Override
  public SignedUrl signedPut(PartAddress part, long size, Duration ttl) {
    return store.signedPart(part, size, ttl);
  }

  @Override
  public Optional<String> put(PartAddress part, InputStream body, long size) throws IOException {
    Path folder = folder(part.key(), part.uploadId()).orElse(null);
    if (folder == null) {
      return Optional.empty();
    }
    Path draft = folder.resolve(UUID.randomUUID() + ".part");
    try {
      String tag = write(draft, body, size);
      Files.move(
          draft,
          folder.resolve(Integer.toString(part.number())),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      return Optional.of(tag);
    } catch (NoSuchFileException _) {
      // It was given up while the part came.
      return Optional.empty();
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static String write(Path draft, InputStream body, long size) throws IOException {
    try (FileChannel file = DurableFiles.create(draft)) {
      MessageDigest digest = Sha256.start();
      OutputStream out = new DigestOutputStream(Channels.newOutputStream(file), digest);
      byte[] buffer = new byte[BUFFER_BYTES];
      long written = 0;
      for (int read = body.read(buffer); read >= 0 && written <= size; read = body.read(buffer)) {
        written += read;
        out.write(buffer, 0, read);
      }
      if (written != size) {
        throw new IOException("a part doesn't have the size that was agreed");
      }
      file.force(true);
      return Sha256.hex(digest);
    }
  }

  @Override
  public Finish finish(String key, String uploadId, List<String> tags) {
    if (store.size(key).isPresent()) {
      return Finish.DONE;
    }
    Path folder = folder(key, uploadId).orElse(null);
    if (folder == null) {
      return Finish.UNKNOWN;
    }
    try {
      store.put(key, PART_TYPE, out -> join(folder, tags, out), Long.MAX_VALUE);
    } catch (PartsDiffer | NoSuchFileException _) {
      // Whoever asks at the same time may have finished, and removed the parts.
      return store.size(key).isPresent() ? Finish.DONE : Finish.PARTS_DIFFER;
    } catch (ObjectStoreException.AlreadyExists _) {
      return Finish.DONE;
    } catch (IOException e) {
      throw ObjectStoreException.of("put together " + key, e);
    }
    abort(key, uploadId);
    return Finish.DONE;
  }

  private static void join(Path folder, List<String> tags, OutputStream out) throws IOException {
    for (int i = 0; i < tags.size(); i++) {
      MessageDigest digest = Sha256.start();
      try (InputStream part = Files.newInputStream(folder.resolve(Integer.toString(i + 1)))) {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = part.read(buffer); read >= 0; read = part.read(buffer)) {
          digest.update(buffer, 0, read);
          out.write(buffer, 0, read);
        }
      }
      if (!tags.get(i).replace("\"", "").equals(Sha256.hex(digest))) {
        throw new PartsDiffer();
      }
    }
  }

  @Override
  public void abort(String key, String uploadId) {
    folder(key, uploadId)
        .ifPresent(folder -> {
          remove(folder);
          removeEmptyAbove(folder);
        });
  }

  @Override
  public int abandon(Duration age) {
    // The times of files are those of the operating system's clock.
    Instant before = Instant.now().minus(age);
    List<Path> old = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              if (!isUpload(folder)) {
                return FileVisitResult.CONTINUE;
              }
              if (attributes.lastModifiedTime().toInstant().isBefore(before)) {
                old.add(folder);
              }
              return FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException failure) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw ObjectStoreException.of("look for abandoned uploads", e);
    }
    for (Path folder : old) {
      remove(folder);
      removeEmptyAbove(folder);
    }
    return old.size();
  }

  /** Throws away all uploads below a job's or an attempt's prefix. */
  void abandonUnder(String prefix) {
    Path folder = tree.resolvePrefix(prefix);
    remove(folder);
    removeEmptyAbove(folder);
  }

  private boolean isUpload(Path folder) {
    return ID.matcher(String.valueOf(folder.getFileName())).matches()
        && ObjectKeys.isKey(tree.keyOf(folder.resolveSibling("")));
  }

  private void remove(Path folder) {
    try {
      tree.deleteUnder(folder);
    } catch (IOException e) {
      throw ObjectStoreException.of("give up an upload", e);
    }
  }

  /** The folders of a key are made for each upload; those that others use are not empty. */
  private void removeEmptyAbove(Path folder) {
    try {
      for (Path above = DurableFiles.directoryOf(folder);
          !above.equals(root);
          above = DurableFiles.directoryOf(above)) {
        Files.deleteIfExists(above);
      }
    } catch (IOException _) {
      // In use.
    }
  }

  private Optional<Path> folder(String key, String uploadId) {
    Path above = tree.resolve(key);
    return Optional.of(uploadId)
        .filter(id -> ID.matcher(id).matches())
        .map(above::resolve)
        .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS));
  }

  /** Leaves the store's write, which then keeps nothing. */
  private static final class PartsDiffer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PartsDiffer() {
      super(null, null, false, false);
    }
  }
}
