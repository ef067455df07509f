package dev.millrace.service.files;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.service.catalogue.AssetFile;
import dev.millrace.service.catalogue.Recipe;
import dev.millrace.service.catalogue.Template;
import dev.millrace.service.catalogue.Workflow;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.output.DownloadNames;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a worker needs for a lease besides the input: the files to fetch, and the workflow's graph
 * with the input filled in.
 *
 * <p>Where the graph names a file, the worker must put its own name for it. Such a place is marked
 * by a word that follows from the lease's token, so no user can have written it into a text.
 */
public final class JobAssets {

  /** The property by which a follow-up is told what was approved. */
  private static final String ITEMS = "items";

  private final Files files;
  private final ObjectStore store;
  private final CatalogueAssets catalogued;

  public JobAssets(Files files, ObjectStore store) {
    this.files = files;
    this.store = store;
    this.catalogued = new CatalogueAssets(store);
  }

  /**
   * A lease and what it is for.
   *
   * @param shipped files that come with the catalogue: the effect's, or the workflow's own if the
   *     effect is gone since the job was accepted
   * @param input resolved, as the job was accepted with
   * @param ttl how long the URLs work: as long as the lease does
   * @param base how the worker knows this server
   */
  public record Leased(
      JobId job,
      UUID token,
      Workflow workflow,
      Map<String, AssetFile> shipped,
      ObjectNode input,
      Duration ttl,
      URI base) {

    /** The template's places that are filled by the worker are marked by these words. */
    private @Nullable String placeholder(String name) {
      Template template = workflow.recipe().template();
      return template != null && template.places().contains(name)
          ? "asset-" + Sha256.hex(token + " " + name).substring(0, 32)
          : null;
    }
  }

  /**
   * One file to fetch.
   *
   * @param name the property that names it, or its name in the catalogue; a job's first file
   *     property comes first
   * @param fileId null for a file that comes with the catalogue
   * @param sha256 in lower-case hexadecimal; equal content has equal checksums, so a worker can
   *     keep what it fetched
   * @param placeholder what stands in the graph for the worker's own name of this file; null if the
   *     graph doesn't use it
   */
  public record Asset(
      String name,
      @Nullable UUID fileId,
      URI url,
      Instant expiresAt,
      String sha256,
      long size,
      String mediaType,
      @Nullable String placeholder) {}

  /**
   * All of it.
   *
   * @param template the filled graph; null if the workflow has none
   */
  public record Work(
      List<Asset> assets, @Nullable ObjectNode template, @Nullable String outputNode) {}

  /** A file that the job was accepted with, or that its effect ships, is gone. */
  public static final class Missing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Missing(String message) {
      super(message);
    }

    Missing(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Everything for a lease; asked again, it differs only in its URLs.
   *
   * @throws Missing if a file is gone, or the input no longer fits the catalogue: the attempt fails
   */
  public Work of(Leased leased) {
    Recipe recipe = leased.workflow().recipe();
    List<Asset> assets = assets(leased);
    @Nullable Template template = recipe.template();
    return new Work(
        assets, template == null ? null : filled(template, leased, assets), recipe.outputNode());
  }

  /** The files with fresh URLs, for a lease that goes on. */
  public List<Asset> assets(Leased leased) {
    List<Asset> assets = new ArrayList<>();
    Map<String, UUID> named = OwnFiles.named(leased.workflow(), leased.input());
    Map<UUID, FileView> found =
        files.ofPayer(leased.job().tenant(), leased.job().uuid(), named.values()).stream()
            .collect(Collectors.toMap(FileView::id, Function.identity()));
    named.forEach((name, id) -> {
      FileView file = found.get(id);
      if (file == null) {
        throw new Missing("The file of " + name + " was deleted.");
      }
      assets.add(asset(leased, name, file));
    });
    assets.addAll(followed(leased));
    leased.shipped().values().forEach(file -> assets.add(asset(leased, file)));
    return List.copyOf(assets);
  }

  /** What was approved of the job that this one goes on with, in the order of the input. */
  private List<Asset> followed(Leased leased) {
    List<UUID> ids =
        leased.input().path(ITEMS).values().stream()
            .filter(JsonNode::isString)
            .map(item -> OwnFiles.id(item.stringValue()))
            .toList();
    Map<UUID, FileView> found =
        files.ofFollowed(leased.job().tenant(), leased.job().uuid(), ids).stream()
            .collect(Collectors.toMap(FileView::id, Function.identity()));
    if (!found.keySet().containsAll(ids)) {
      if (files.follows(leased.job().tenant(), leased.job().uuid())) {
        throw new Missing("An approved item was deleted.");
      }
      // An effect that is no follow-up may call a property so, and mean anything by it.
      return List.of();
    }
    List<Asset> assets = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      assets.add(
          asset(leased, ITEMS + "." + (i + 1), Objects.requireNonNull(found.get(ids.get(i)))));
    }
    return assets;
  }

  private Asset asset(Leased leased, String name, FileView file) {
    SignedUrl url =
        store.signedGet(
            file.keys().key(),
            file.content().mediaType(),
            DownloadNames.plain(file.id(), file.content().mediaType()),
            leased.ttl());
    return new Asset(
        name,
        file.id(),
        url.under(leased.base()),
        url.expiresAt(),
        file.content().sha256(),
        file.content().size(),
        file.content().mediaType(),
        leased.placeholder(name));
  }

  private Asset asset(Leased leased, AssetFile file) {
    SignedUrl url =
        store.signedGet(catalogued.keyOf(file), file.type().essence(), null, leased.ttl());
    return new Asset(
        file.name(),
        null,
        url.under(leased.base()),
        url.expiresAt(),
        file.sha256(),
        file.size(),
        file.type().essence(),
        leased.placeholder(file.name()));
  }

  private static ObjectNode filled(Template template, Leased leased, List<Asset> assets) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    leased.input().properties().forEach(field -> values.put(field.getKey(), field.getValue()));
    for (Asset asset : assets) {
      values.put(
          asset.name(), JsonNodeFactory.instance.stringNode(String.valueOf(asset.placeholder())));
    }
    try {
      return template.fill(values);
    } catch (IllegalArgumentException e) {
      throw new Missing("The input no longer fits the workflow: " + e.getMessage(), e);
    }
  }
}
