package dev.millrace.postgres.connection;

import dev.millrace.contract.digest.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node knows of its database, kept over restarts: a line each for the address, the system
 * and its newest timeline. Where it can't be read or written, the node only knows less.
 *
 * @param address may have a password in it, so its digest is kept
 */
record PrimaryFile(Path path, String address) {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryFile.class);
  private static final int LINES = 3;

  /** Empty if nothing is known, or only of another address. */
  Optional<Primary.Identity> read() {
    try {
      List<String> lines = Files.readAllLines(path);
      return lines.size() == LINES && lines.getFirst().equals(digest())
          ? Optional.of(
              new Primary.Identity(
                  Long.parseUnsignedLong(lines.get(1)), Integer.parseInt(lines.get(2))))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | NumberFormatException e) {
      LOG.warn("What was known of the database can't be read: {}", e.toString());
      return Optional.empty();
    }
  }

  void write(Primary.Identity identity) {
    List<String> lines =
        List.of(
            digest(),
            Long.toUnsignedString(identity.system()),
            Integer.toString(identity.timeline()));
    try {
      Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent());
      Files.createDirectories(folder);
      Path draft = Files.createTempFile(folder, "primary", "");
      try {
        Files.write(draft, lines);
        Files.move(
            draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      LOG.warn(
          "What is known of the database can't be kept, so a restart forgets it: {}", e.toString());
    }
  }

  private String digest() {
    return Sha256.hex(address.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
