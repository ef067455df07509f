package dev.millrace.service.tenants;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.removal.ExportRows;
import dev.millrace.postgres.removal.ExportTopic;
import dev.millrace.postgres.removal.WholeTenant;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.RandomText;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStream;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * All that a tenant has, as one archive that is made while it is sent. Its last file is {@code
 * manifest.json}, with a receipt: whoever knows the receipt has had the archive to its end.
 */
public final class TenantExport {

  /** As much as is kept in memory, but for what one page is more. */
  private static final int PART_BYTES = 4 << 20;

  private static final int RECEIPT_LENGTH = 32;

  private final WholeTenant whole;
  private final ObjectStore store;
  private final Audit audit;

  public TenantExport(WholeTenant whole, ObjectStore store, Audit audit) {
    this.whole = whole;
    this.store = store;
    this.audit = audit;
  }

  /**
   * Begins an archive. Each row is as it is when its page is read, so of a tenant that isn't
   * suspended some rows are newer than others.
   *
   * @param objects also what its files have in them, not only what is known of them
   */
  public InputStream begin(Principal by, TenantView tenant, boolean objects) {
    String detail = JsonMapper.shared().createObjectNode().put("objects", objects).toString();
    audit.write(by.installationAudit("tenant.export", tenant.slug(), detail));
    return new TarStream(new Parts(tenant, objects));
  }

  /** What a receipt is stored as. */
  static String hash(String receipt) {
    return Sha256.hex(receipt);
  }

  /** The files of one archive, each made when it is its turn. */
  private final class Parts implements Iterator<TarStream.Part> {

    private final TenantView tenant;
    private final boolean objects;
    private final Instant began = whole.removals().now();
    private final String standing;
    private final Map<ExportTopic, Long> rows = new EnumMap<>(ExportTopic.class);
    private final Deque<ExportTopic> topics = new ArrayDeque<>();
    private final Deque<JsonNode> files = new ArrayDeque<>();
    private ExportRows.@Nullable Place place;
    private ExportRows.@Nullable Place filePlace;
    private boolean moreFiles;
    private int number;
    private long stored;
    private long missing;
    private boolean described;
    private boolean ended;

    Parts(TenantView tenant, boolean objects) {
      this.tenant = tenant;
      this.objects = objects;
      this.moreFiles = objects;
      this.standing = whole.removals().standingOfJobs(tenant.id());
      for (ExportTopic topic : ExportTopic.values()) {
        topics.add(topic);
        rows.put(topic, 0L);
      }
    }

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public TarStream.Part next() {
      if (ended) {
        throw new NoSuchElementException();
      }
      if (!described) {
        described = true;
        return TarStream.Part.of("tenant.json", TenantJson.of(tenant).toString() + "\n");
      }
      return ofRows().or(this::ofObjects).orElseGet(this::manifest);
    }

    /** As many rows of a topic as a part has room for; empty when all have been handed out. */
    private Optional<TarStream.Part> ofRows() {
      while (!topics.isEmpty()) {
        ExportTopic topic = topics.getFirst();
        StringBuilder lines = new StringBuilder();
        boolean more = true;
        while (more && lines.length() < PART_BYTES) {
          ExportRows.Page page = whole.rows().page(tenant.id(), topic, place);
          page.lines().forEach(line -> lines.append(line).append('\n'));
          rows.merge(topic, (long) page.lines().size(), Long::sum);
          place = page.next();
          more = place != null;
        }
        number++;
        String name = "%s/%06d.ndjson".formatted(topic.label(), number);
        if (!more) {
          topics.removeFirst();
          number = 0;
        }
        if (!lines.isEmpty()) {
          return Optional.of(TarStream.Part.of(name, lines.toString()));
        }
      }
      return Optional.empty();
    }

    private Optional<TarStream.Part> ofObjects() {
      while (moreFiles || !files.isEmpty()) {
        if (files.isEmpty()) {
          ExportRows.Page page = whole.rows().page(tenant.id(), ExportTopic.FILES, filePlace);
          page.lines().forEach(line -> files.add(JsonMapper.shared().readTree(line)));
          filePlace = page.next();
          moreFiles = filePlace != null;
          continue;
        }
        JsonNode file = files.removeFirst();
        if (file.path("state").asString("").equals("ready") && file.path("deleted_at").isNull()) {
          Optional<TarStream.Part> object = object(file.path("key").asString(""));
          if (object.isPresent()) {
            stored++;
            return object;
          }
          missing++;
        }
      }
      return Optional.empty();
    }

    private Optional<TarStream.Part> object(String key) {
      Optional<ObjectStream> found = store.open(key);
      return found.map(
          object -> new TarStream.Part("objects/" + key, object.length(), object.stream()));
    }

    /** What stands in it counts from now on, whether or not it arrives. */
    private TarStream.Part manifest() {
      ended = true;
      String receipt = RandomText.of(RECEIPT_LENGTH);
      ObjectNode manifest =
          JsonMapper.shared()
              .createObjectNode()
              .put("tenant", tenant.slug())
              .put("began_at", began.toString());
      ObjectNode counts = manifest.putObject("rows");
      rows.forEach((topic, count) -> counts.put(topic.label(), count));
      if (objects) {
        manifest.put("objects", stored).put("objects_missing", missing);
      }
      manifest.put("receipt", receipt);
      whole.removals().exported(tenant.id(), began, hash(receipt), standing);
      return TarStream.Part.of("manifest.json", manifest.toPrettyString() + "\n");
    }
  }
}
