package dev.millrace.service.transfer;

import dev.millrace.postgres.files.FileView;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Approved items, each a JSON file. The file's id is the item's key, whatever job hands it over.
 */
final class ItemRows implements RowSource {

  private static final int MOST_BYTES = 1 << 18;

  private final List<UUID> items;
  private final Map<UUID, FileView> files = new HashMap<>();
  private final ObjectStore store;
  private int read;

  /**
   * Reads nothing yet.
   *
   * @param items those that were asked for, in their order
   * @param files those of them that may be handed over
   */
  ItemRows(List<UUID> items, List<FileView> files, ObjectStore store) {
    this.items = items;
    this.store = store;
    files.forEach(file -> this.files.put(file.id(), file));
  }

  @Override
  public @Nullable Row next() throws IOException {
    if (read == items.size()) {
      return null;
    }
    UUID id = items.get(read);
    read++;
    FileView file = files.get(id);
    if (file == null) {
      return bad(id, "is no approved item of this user");
    }
    if (file.content().size() > MOST_BYTES) {
      return bad(id, "is larger than an item may be");
    }
    try (ObjectStream content = store.open(file.keys().key()).orElse(null)) {
      if (content == null) {
        return bad(id, "is not there any more");
      }
      JsonNode json = JsonMapper.shared().readTree(content.stream().readNBytes(MOST_BYTES));
      return json instanceof ObjectNode data
          ? Row.good(read, read, id.toString(), data)
          : bad(id, "is no JSON object");
    } catch (JacksonException e) {
      return bad(id, "is no JSON");
    }
  }

  private Row bad(UUID id, String why) {
    return Row.bad(read, read, id.toString(), null, why);
  }

  @Override
  public int percent() {
    return items.isEmpty() ? 100 : 100 * read / items.size();
  }

  @Override
  public void close() {}
}
