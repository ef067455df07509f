package dev.millrace.postgres.files;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Visibility;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Files that users bring, from the wish to the confirmation, or to the end of patience. */
public final class Uploads {

  private static final String COLUMNS =
      """
      f.id, f.key, f.name, f.media_type, f.size, f.sha256, f.state, f.upload_id, f.part_bytes,
      f.created_at, f.expires_at\
      """;

  private static final String MAKE_WALLET =
      """
      insert into wallet (tenant_id, user_id)
      values (:tenant, :user)
      on conflict do nothing
      """;

  /** Under the wallet's lock, so that two wishes at once don't both pass the limit. */
  private static final String OPEN =
      """
      insert into file as f (
          tenant_id, id, wallet_id, kind, state, key, name, media_type, size, sha256,
          upload_id, part_bytes, workspace, created_at, expires_at)
      select :tenant, :id, w.id, 'input', 'pending', :key, :name, :type, :size, :sha256,
          :upload, :part_bytes, :workspace, clock_timestamp(), clock_timestamp() + make_interval(secs => :seconds)
      from wallet w
      where w.tenant_id = :tenant
        and w.user_id = :user
        and :most > (
          select count(*)
          from file p
          where p.wallet_id = w.id
            and p.state = 'pending'
            and p.deleted_at is null)
      returning %s
      """
          .formatted(COLUMNS);

  private static final String FIND =
      """
      select %s
      from file f
      join wallet w on w.id = f.wallet_id
      where f.tenant_id = :tenant
        and f.id = :id
        and f.kind = 'input'
        and f.deleted_at is null
        and (cast(:user as text) is null or w.user_id = :user)
        and (cast(:workspace as text) is null or f.workspace = :workspace)
      """
          .formatted(COLUMNS);

  private static final String CONFIRM =
      """
      update file
      set state = 'ready',
          expires_at = null,
          upload_id = null,
          part_bytes = null,
          sha256 = :sha256,
          width = :width,
          height = :height,
          thumbnail_key = :thumbnail
      where tenant_id = :tenant
        and id = :id
        and state = 'pending'
        and deleted_at is null
      """;

  private static final String ANNOTATE =
      """
      update file
      set notes = cast(:notes as jsonb)
      where tenant_id = :tenant
        and id = :id
        and state = 'pending'
      """;

  /** A file in parts may need longer than its first URLs live, but not for ever. */
  private static final String EXTEND =
      """
      update file f
      set expires_at = greatest(
          f.expires_at,
          least(
              clock_timestamp() + make_interval(secs => :seconds),
              f.created_at + make_interval(secs => :longest)))
      from wallet w
      where w.id = f.wallet_id
        and f.tenant_id = :tenant
        and f.id = :id
        and (cast(:user as text) is null or w.user_id = :user)
        and (cast(:workspace as text) is null or f.workspace = :workspace)
        and f.state = 'pending'
        and f.deleted_at is null
        and f.upload_id is not null
        and f.created_at > clock_timestamp() - make_interval(secs => :longest)
      returning %s
      """
          .formatted(COLUMNS);

  /** The object goes later: whoever confirms meanwhile finds the row gone. */
  private static final String GIVE_UP =
      """
      update file
      set deleted_at = clock_timestamp(),
          name = 'deleted'
      where (tenant_id, id) in (
          select tenant_id, id
          from file
          where state = 'pending'
            and deleted_at is null
            and expires_at < (select clock_timestamp()) - make_interval(secs => :seconds)
          order by expires_at
          limit :limit
          for update skip locked)
      """;

  private final Jdbi jdbi;

  public Uploads(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * A file that somebody wants to bring.
   *
   * @param parts how it comes; null if it comes whole
   * @param workspace a label of the tenant's own
   */
  public record Wish(
      int tenant,
      String user,
      UUID id,
      String key,
      UploadView.Content content,
      @Nullable Parts parts,
      @Nullable String workspace) {}

  /**
   * How a file comes in parts: the store's name for the upload, and the size of all but the last.
   */
  public record Parts(String uploadId, long partBytes) {}

  /**
   * What was found out about a file that arrived.
   *
   * @param width in pixels, if it is a picture that can be read
   */
  public record Found(
      String sha256,
      @Nullable Integer width,
      @Nullable Integer height,
      @Nullable String thumbnailKey) {}

  /**
   * How much may be brought.
   *
   * @param most so many wishes a user may have open
   */
  public record Allowed(int most, StorageUse.Limits storage) {}

  /** What became of a wish. */
  public sealed interface Opening {

    record Opened(UploadView file) implements Opening {}

    /** The user has as many wishes open as they may have. */
    record TooMany() implements Opening {}

    /** Neither this file nor anything else was stored. */
    record NoRoom(StorageUse.Full full) implements Opening {}
  }

  /**
   * Stores a wish; the user gets a wallet if there is none yet. From now on the file takes its
   * room.
   *
   * @param within so long the file may be brought
   */
  public Opening open(Wish wish, Duration within, Allowed allowed) {
    return jdbi.inTransaction(handle -> {
      handle
          .createUpdate(MAKE_WALLET)
          .bind("tenant", wish.tenant())
          .bind("user", wish.user())
          .execute();
      Optional<StorageUse.Full> full =
          StorageUse.room(
              handle, wish.tenant(), wish.user(), wish.content().size(), allowed.storage());
      if (full.isPresent()) {
        return new Opening.NoRoom(full.get());
      }
      return handle
          .createQuery(OPEN)
          .bind("tenant", wish.tenant())
          .bind("user", wish.user())
          .bind("id", wish.id())
          .bind("key", wish.key())
          .bind("name", wish.content().name())
          .bind("type", wish.content().mediaType())
          .bind("size", wish.content().size())
          .bind("sha256", wish.content().sha256())
          .bind("upload", wish.parts() == null ? null : wish.parts().uploadId())
          .bind("part_bytes", wish.parts() == null ? null : wish.parts().partBytes())
          .bind("workspace", wish.workspace())
          .bind("seconds", (double) within.toSeconds())
          .bind("most", allowed.most())
          .map(RecordMapper.of(UploadView.class))
          .findOne()
          .<Opening>map(Opening.Opened::new)
          .orElseGet(Opening.TooMany::new);
    });
  }

  /** Writes on a file that isn't brought yet. */
  public void annotate(int tenant, UUID id, String notes) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(ANNOTATE)
            .bind("tenant", tenant)
            .bind("id", id)
            .bind("notes", notes)
            .execute());
  }

  /** Finds a file that was brought or is about to be. */
  public Optional<UploadView> find(Visibility whose, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("id", id)
            .map(RecordMapper.of(UploadView.class))
            .findOne());
  }

  /**
   * Gives a file that comes in parts more time.
   *
   * @param within from now on
   * @param longest since it was announced
   * @return empty if nobody waits for it, or it comes whole
   */
  public Optional<UploadView> extend(Visibility whose, UUID id, Duration within, Duration longest) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(EXTEND)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("id", id)
            .bind("seconds", (double) within.toSeconds())
            .bind("longest", (double) longest.toSeconds())
            .map(RecordMapper.of(UploadView.class))
            .findOne());
  }

  /** The file is there and was looked at; false if it is no longer waited for. */
  public boolean confirm(int tenant, UUID id, Found found) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(CONFIRM)
            .bind("tenant", tenant)
            .bind("id", id)
            .bind("sha256", found.sha256())
            .bind("width", found.width())
            .bind("height", found.height())
            .bind("thumbnail", found.thumbnailKey())
            .execute())
        == 1;
  }

  /** Deletes wishes whose time was over so long ago; says how many. */
  public int giveUp(Duration since, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(GIVE_UP)
            .bind("seconds", (double) since.toSeconds())
            .bind("limit", limit)
            .execute());
  }
}
