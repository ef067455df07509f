package dev.millrace.postgres.requests;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file of requests, one in each line, and how far it is.
 *
 * @param claim whose turn it is
 */
public record RequestListView(
    UUID id,
    Owner owner,
    Request request,
    Progress progress,
    Results results,
    Times times,
    @Nullable UUID claim) {

  /**
   * Who pays for it.
   *
   * @param effects those that may be asked for; null for any
   */
  public record Owner(
      int tenantId, String userId, @Nullable String workspace, @Nullable List<String> effects) {}

  /**
   * What is to be done.
   *
   * @param base how whoever brought it knows this server
   */
  public record Request(
      String dialect, String endpoint, String base, @Nullable String metadata, UUID inputFile) {}

  /**
   * How far it is.
   *
   * @param ending what it will be when everything has ended
   * @param lines null before they were counted
   * @param mistakes what is wrong with the file, a JSON list
   */
  public record Progress(
      String state,
      String ending,
      @Nullable Integer lines,
      int readLines,
      int done,
      int refused,
      @Nullable String mistakes) {}

  /** What came of it. */
  public record Results(@Nullable UUID outputFile, @Nullable UUID errorFile) {}

  /** When what happened to it. */
  public record Times(
      Instant createdAt,
      @Nullable Instant beganAt,
      @Nullable Instant cancelingAt,
      @Nullable Instant finalizingAt,
      @Nullable Instant endedAt,
      Instant expiresAt) {}

  public int tenantId() {
    return owner.tenantId;
  }
}
