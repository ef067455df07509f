package dev.millrace.storage.url;

import dev.millrace.contract.digest.HmacSha256;
import dev.millrace.storage.DurableFiles;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.SharedSync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The secrets behind signed URLs: one that signs, and while it is being replaced the one before it,
 * whose URLs stay valid.
 *
 * <p>In a file they are one or two lines of hexadecimal, the one that signs first.
 */
public final class SigningKeys {

  static final int BYTES = 32;

  private static final Pattern LINES = Pattern.compile("[0-9a-f]{64}(?:\n[0-9a-f]{64})?\n?");
  private static final Set<PosixFilePermission> TOO_OPEN =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<byte[]> keys;

  private SigningKeys(List<byte[]> keys) {
    if (keys.stream().anyMatch(key -> key.length != BYTES)) {
      throw new IllegalArgumentException("a signing key has " + BYTES + " bytes");
    }
    this.keys = keys.stream().map(byte[]::clone).toList();
  }

  public static SigningKeys of(byte[] current) {
    return new SigningKeys(List.of(current));
  }

  public static SigningKeys of(byte[] current, byte[] previous) {
    return new SigningKeys(List.of(current, previous));
  }

  /**
   * Reads the file, after making it with a fresh key if there is none. Processes that start at once
   * agree: the file appears whole, one of them names it, and all read what has the name.
   */
  public static SigningKeys loadOrCreate(Path file) {
    try {
      if (!Files.exists(file)) {
        create(file);
      }
      return read(file);
    } catch (IOException e) {
      throw ObjectStoreException.of("read or make the signing key at " + file, e);
    }
  }

  /** Makes a fresh key that signs from the next start on; the one it replaces still verifies. */
  public static SigningKeys rotate(Path file) {
    try {
      SigningKeys rotated = of(fresh(), read(file).current());
      Path finished = write(file, rotated);
      Files.move(finished, file, StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.sync(DurableFiles.directoryOf(file));
      return rotated;
    } catch (IOException e) {
      throw ObjectStoreException.of("rotate the signing key at " + file, e);
    }
  }

  /** Secrets for another purpose, one from each key and in their order; they tell nothing of it. */
  public List<byte[]> derived(String purpose) {
    return keys.stream().map(key -> HmacSha256.of(key, "derived for " + purpose)).toList();
  }

  byte[] current() {
    return keys.getFirst().clone();
  }

  /** The one that signs first. */
  List<byte[]> all() {
    return keys.stream().map(byte[]::clone).toList();
  }

  private static void create(Path file) throws IOException {
    Path directory = DurableFiles.directoryOf(file);
    DurableFiles.createDirectories(directory);
    Path finished = write(file, of(fresh()));
    try {
      DurableFiles.publish(finished, file, directory, new SharedSync());
    } catch (FileAlreadyExistsException _) {
      // Another process was faster; its key is as good, and is the one that gets read.
    } finally {
      Files.deleteIfExists(finished);
    }
  }

  private static Path write(Path file, SigningKeys keys) throws IOException {
    Path draft = file.toAbsolutePath().resolveSibling("." + UUID.randomUUID() + ".key");
    String lines =
        keys.all().stream()
            .map(key -> HexFormat.of().formatHex(key) + "\n")
            .collect(Collectors.joining());
    try (FileChannel channel = DurableFiles.create(draft)) {
      ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    return draft;
  }

  private static SigningKeys read(Path file) throws IOException {
    if (DurableFiles.knowsPermissions(file)
        && Files.getPosixFilePermissions(file).stream().anyMatch(TOO_OPEN::contains)) {
      throw new ObjectStoreException(
          "the signing key at " + file + " is open to others; set its permissions to 600");
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (!LINES.matcher(text).matches()) {
      throw new ObjectStoreException(
          "the signing key at " + file + " is not one or two lines of 64 hexadecimal digits");
    }
    return new SigningKeys(text.lines().map(HexFormat.of()::parseHex).toList());
  }

  private static byte[] fresh() {
    byte[] key = new byte[BYTES];
    RANDOM.nextBytes(key);
    return key;
  }
}
