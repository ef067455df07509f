package dev.millrace.storage.local;

import dev.millrace.storage.BoundedInput;
import dev.millrace.storage.DurableFiles;
import dev.millrace.storage.MeasuredOutput;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import dev.millrace.storage.ObjectWriter;
import dev.millrace.storage.PartAddress;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SharedSync;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.StoredObject;
import dev.millrace.storage.url.UrlSigner;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects as files under one directory; a key is the path below it. This server serves them itself,
 * through URLs that its {@link UrlSigner} signs.
 *
 * <p>A file is written apart, synced, and only then gets its name. No symbolic link inside the
 * directory is ever followed.
 */
public final class LocalObjectStore implements ObjectStore {

  /** No key starts like this, so an unfinished file can't be asked for. */
  private static final String UNFINISHED = ".unfinished";

  /** Far longer than any write pauses: another process may be writing here right now. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  /** A cleanup may take away the directory that a write has just made; then it is made again. */
  private static final int PUBLISH_TRIES = 100;

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final Path root;
  private final LocalTree tree;
  private final Path unfinished;
  private final UrlSigner signer;
  private final InstantSource clock;
  private final LocalParts parts;
  private final SharedSync shared = new SharedSync();

  /** Opens the store, and makes its directory if there is none. */
  public LocalObjectStore(Path root, UrlSigner signer, InstantSource clock) {
    this.signer = signer;
    this.clock = clock;
    try {
      DurableFiles.createDirectories(root);
      this.root = root.toRealPath();
      this.tree = new LocalTree(this.root);
      this.unfinished = this.root.resolve(UNFINISHED);
      DurableFiles.createDirectories(unfinished);
      this.parts = new LocalParts(this, unfinished.resolve("parts"));
      deleteAbandoned();
    } catch (IOException e) {
      throw ObjectStoreException.of("open the object store at " + root, e);
    }
  }

  @Override
  public StoredObject put(String key, String mediaType, ObjectWriter writer, long maxBytes)
      throws IOException {
    Path target = tree.resolve(key);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new ObjectStoreException.AlreadyExists(key);
    }
    Path draft = unfinished.resolve(UUID.randomUUID() + ".part");
    try {
      StoredObject stored = write(draft, key, mediaType, writer, maxBytes);
      publish(draft, target, key);
      return stored;
    } finally {
      deleteDraft(draft);
    }
  }

  @Override
  public Optional<ObjectStream> open(String key, long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException("a part starts and ends within its object");
    }
    Path path = tree.resolve(key);
    try {
      SeekableByteChannel channel = Files.newByteChannel(path, READ);
      try {
        long size = channel.size();
        long first = Math.min(offset, size);
        long count = Math.min(length, size - first);
        channel.position(first);
        return Optional.of(
            new ObjectStream(
                new BoundedInput(Channels.newInputStream(channel), count), size, first, count));
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw ObjectStoreException.of("open " + key, e);
    }
  }

  @Override
  public OptionalLong size(String key) {
    Path path = tree.resolve(key);
    try {
      return OptionalLong.of(Files.size(path));
    } catch (NoSuchFileException _) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw ObjectStoreException.of("look at " + key, e);
    }
  }

  @Override
  public boolean delete(String key) {
    Path path = tree.resolve(key);
    try {
      return Files.deleteIfExists(path);
    } catch (IOException e) {
      throw ObjectStoreException.of("delete " + key, e);
    }
  }

  @Override
  public List<String> list(String prefix, int limit) {
    Path directory = tree.resolvePrefix(prefix);
    try {
      return tree.keysUnder(directory).stream().limit(limit).toList();
    } catch (IOException e) {
      throw ObjectStoreException.of("list " + prefix, e);
    }
  }

  @Override
  public int deletePrefix(String prefix) {
    Path directory = tree.resolvePrefix(prefix);
    parts.abandonUnder(prefix);
    try {
      return tree.deleteUnder(directory);
    } catch (IOException e) {
      throw ObjectStoreException.of("delete " + prefix, e);
    }
  }

  @Override
  public SignedUrl signedGet(
      String key, String mediaType, @Nullable String filename, Duration ttl) {
    return signer.get(key, mediaType, filename, expiry(ttl));
  }

  @Override
  public SignedUrl signedPut(
      String key, String mediaType, long size, @Nullable String sha256, Duration ttl) {
    return signer.put(key, mediaType, size, sha256, expiry(ttl));
  }

  @Override
  public PartedUploads parts() {
    return parts;
  }

  SignedUrl signedPart(PartAddress part, long size, Duration ttl) {
    return signer.part(part, size, expiry(ttl));
  }

  @Override
  public void check() {
    if (!Files.isDirectory(unfinished) || !Files.isWritable(unfinished)) {
      throw new ObjectStoreException(
          "the folder of the files, " + root + ", is not there or can't be written to");
    }
  }

  @Override
  public String inWords() {
    return "the folder " + root;
  }

  private Instant expiry(Duration ttl) {
    return SignedUrl.expiry(clock.instant(), ttl);
  }

  /** The writer's exceptions pass as they are; those of the disk are told apart from them. */
  private static StoredObject write(
      Path draft, String key, String mediaType, ObjectWriter writer, long maxBytes)
      throws IOException {
    FileChannel file = create(draft, key);
    try {
      MeasuredOutput out = new MeasuredOutput(key, Channels.newOutputStream(file), maxBytes);
      writer.writeTo(out);
      StoredObject stored = out.finish(mediaType);
      force(file, key);
      return stored;
    } finally {
      close(file);
    }
  }

  private static FileChannel create(Path draft, String key) {
    try {
      return DurableFiles.create(draft);
    } catch (IOException e) {
      throw ObjectStoreException.of("store " + key, e);
    }
  }

  private static void force(FileChannel file, String key) {
    try {
      file.force(true);
    } catch (IOException e) {
      throw ObjectStoreException.of("store " + key, e);
    }
  }

  private static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException _) {
      // The bytes are durable already, or the file is about to be thrown away.
    }
  }

  private void publish(Path draft, Path target, String key) {
    for (int tries = 1; ; tries++) {
      try {
        DurableFiles.publish(draft, target, root, shared);
        return;
      } catch (FileAlreadyExistsException _) {
        throw new ObjectStoreException.AlreadyExists(key);
      } catch (NoSuchFileException e) {
        if (tries == PUBLISH_TRIES) {
          throw ObjectStoreException.of("store " + key, e);
        }
      } catch (IOException e) {
        throw ObjectStoreException.of("store " + key, e);
      }
    }
  }

  /** What can't be deleted now is deleted at a later start; the object itself is not affected. */
  private static void deleteDraft(Path draft) {
    try {
      Files.deleteIfExists(draft);
    } catch (IOException _) {
      // See above.
    }
  }

  private void deleteAbandoned() throws IOException {
    Instant before = clock.instant().minus(ABANDONED);
    try (Stream<Path> drafts = Files.list(unfinished)) {
      for (Path draft : (Iterable<Path>) drafts::iterator) {
        if (Files.isRegularFile(draft, LinkOption.NOFOLLOW_LINKS)
            && Files.getLastModifiedTime(draft).toInstant().isBefore(before)) {
          Files.deleteIfExists(draft);
        }
      }
    }
  }
}
