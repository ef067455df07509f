package dev.millrace.postgres.files;

import dev.millrace.postgres.records.Lookup;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/**
 * Small texts by their keys. They are written with the reports that bring them; those that are read
 * at the same time share a round trip.
 */
public final class Texts implements AutoCloseable {

  private static final String FIND =
      """
      select k.place, t.content
      from unnest(cast(:keys as text[])) with ordinality as k (key, place)
      join text_output t using (key)
      """;

  private static final String DELETE = "delete from text_output where key = :key";

  /** No character of a key comes after a tilde. */
  private static final String UNDER = "key > :prefix and key < :prefix || '~'";

  private static final String LIST =
      "select key from text_output where " + UNDER + " order by key limit :limit";

  private static final String DELETE_UNDER = "delete from text_output where " + UNDER;

  private final Jdbi jdbi;
  private final Lookup<String, byte[]> finds;

  public Texts(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.finds = new Lookup<>("find-text", this::findAll);
  }

  public Optional<byte[]> find(String key) {
    return finds.find(key);
  }

  /** Whether there was one. */
  public boolean delete(String key) {
    return jdbi.withHandle(handle -> handle.createUpdate(DELETE).bind("key", key).execute()) > 0;
  }

  /** The keys that begin so, in ascending order. */
  public List<String> list(String prefix, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("prefix", prefix)
            .bind("limit", limit)
            .mapTo(String.class)
            .list());
  }

  /** Deletes those whose keys begin so, and says how many there were. */
  public int deleteUnder(String prefix) {
    return jdbi.withHandle(
        handle -> handle.createUpdate(DELETE_UNDER).bind("prefix", prefix).execute());
  }

  private List<Lookup.Found<byte[]>> findAll(List<String> keys) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bindArray("keys", String.class, keys)
            .map((row, _) -> new Lookup.Found<>(row.getInt("place"), row.getBytes("content")))
            .list());
  }

  @Override
  public void close() {
    finds.close();
  }
}
