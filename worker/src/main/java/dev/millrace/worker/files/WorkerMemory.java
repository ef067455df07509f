package dev.millrace.worker.files;

import dev.millrace.worker.http.AnswerJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What a worker remembers over a restart: its registration and the leases it holds. With them, one
 * that was killed goes on with its jobs as long as their leases live.
 */
public final class WorkerMemory {

  private final Path registration;
  private final Path leases;

  public WorkerMemory(Path state) throws IOException {
    registration = state.resolve("registration.json");
    leases = Files.createDirectories(state.resolve("leases"));
  }

  public Optional<JsonNode> registration() {
    return read(registration);
  }

  public void registration(JsonNode json) {
    write(registration, json);
  }

  public void forgetRegistration() {
    delete(registration);
  }

  public void lease(UUID attempt, JsonNode json) {
    write(file(attempt), json);
  }

  public void forgetLease(UUID attempt) {
    delete(file(attempt));
  }

  public List<JsonNode> leases() throws IOException {
    List<JsonNode> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(leases)) {
      for (Path file : files.sorted().toList()) {
        Optional<JsonNode> lease = read(file);
        lease.ifPresentOrElse(found::add, () -> delete(file));
      }
    }
    return found;
  }

  private Path file(UUID attempt) {
    return leases.resolve(attempt + ".json");
  }

  private static Optional<JsonNode> read(Path file) {
    try {
      return Optional.of(AnswerJson.read(Files.readAllBytes(file))).filter(JsonNode::isObject);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Renamed into place, so that a crash leaves the old or the new, never half of one. */
  private static void write(Path file, JsonNode json) {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      Files.write(draft, AnswerJson.write(json));
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException _) {
      // Only a restart would have used it; a full disk must not fail the job.
      delete(draft);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // The next start finds it, and finds that its lease is over.
    }
  }
}
