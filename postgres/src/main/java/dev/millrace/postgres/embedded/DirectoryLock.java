package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a data directory, held by one process at a time and given up by the kernel when
 * the process dies.
 *
 * <p>The file stays when the lock is released; only the lock on it counts. It holds the owner's
 * process id, for the message to whoever comes second.
 */
final class DirectoryLock implements AutoCloseable {
  /**
   * Directories locked by this very process. The second comer must learn it here and never open the
   * file, because closing it again would release the first one's lock too.
   */
  private static final Map<Path, Object> HELD = new ConcurrentHashMap<>();

  private final Path dataDir;
  private final FileChannel channel;

  private DirectoryLock(Path dataDir, FileChannel channel) {
    this.dataDir = dataDir;
    this.channel = channel;
  }

  /** Takes a real path, since two names of one directory must not both get the lock. */
  static DirectoryLock take(Path dataDir) {
    if (HELD.putIfAbsent(dataDir, "being taken") != null) {
      throw inUse(dataDir, "process " + ProcessHandle.current().pid() + ", this one");
    }
    FileChannel channel = null;
    boolean taken = false;
    try {
      channel =
          FileChannel.open(
              dataDir.resolve("millrace.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        throw inUse(dataDir, owner(channel));
      }
      var lock = new DirectoryLock(dataDir, channel);
      lock.write(Long.toString(ProcessHandle.current().pid()));
      // Keeps the channel reachable: were it collected, the lock would go with it.
      HELD.put(dataDir, channel);
      taken = true;
      return lock;
    } catch (IOException e) {
      throw EmbeddedDatabaseException.unusable(dataDir, e);
    } finally {
      if (!taken) {
        closeQuietly(channel);
        HELD.remove(dataDir);
      }
    }
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      write("");
    } catch (IOException _) {
      // A stale process id in the file misleads nobody: it is read only while somebody holds the
      // lock.
    }
    closeQuietly(channel);
    HELD.remove(dataDir);
  }

  private void write(String text) throws IOException {
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static String owner(FileChannel channel) throws IOException {
    var bytes = ByteBuffer.allocate(20);
    channel.read(bytes, 0);
    String pid = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "a process that is just starting" : "process " + pid;
  }

  private static EmbeddedDatabaseException inUse(Path dataDir, String owner) {
    return new EmbeddedDatabaseException(
        "The data directory %s is in use by another Millrace (%s). Stop that one first, or give this one a data directory of its own."
            .formatted(dataDir, owner));
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException _) {
      // The descriptor is gone either way, and the lock with it.
    }
  }
}
